"""The ways into the house: REST for the lobby, history and operator, a WebSocket for play."""
