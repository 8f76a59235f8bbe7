"""The records that everything else passes around."""
