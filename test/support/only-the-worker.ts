/** How memory is allocated is for the worker of the tests (vitest.config.ts), not for the processes that it starts. */
delete process.env['MALLOC_ARENA_MAX'];
delete process.env['GLIBC_TUNABLES'];
