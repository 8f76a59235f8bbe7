"""A chat-completions endpoint that stands in for the judge model, and misbehaves on demand."""
