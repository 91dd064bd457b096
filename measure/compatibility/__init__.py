"""What each build of a browser does with WebMCP: declared behaviours, a runner that asks them, and the matrix."""
