"""Properties that hold for whatever a model, a file or a person may hand in."""
