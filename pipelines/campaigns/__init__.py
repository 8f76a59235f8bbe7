"""Campaign files, their schema, and the ledger of a campaign."""
