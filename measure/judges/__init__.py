"""What chooses a tool: models behind endpoints, and offline stand-ins with known behaviour.

May not see a page or run a tool: a judge is given a manifest and gives calls.
"""
