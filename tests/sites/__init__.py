"""The bundled small web: pages with known truth, and the server that serves them."""
