"""What chooses a tool: models behind endpoints, and offline stand-ins with known behaviour."""
