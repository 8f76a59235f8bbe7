"""What a run would take, before anything is sent."""
