"""The house online: a store of tables, the tables that run, who may do what, and the API."""
