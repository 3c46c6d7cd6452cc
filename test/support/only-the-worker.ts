/** The limit of arenas is for the worker of the tests (vitest.config.ts), not for the processes that it starts. */
delete process.env['MALLOC_ARENA_MAX'];
