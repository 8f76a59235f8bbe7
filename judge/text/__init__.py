"""What can be found out about texts without a model."""
