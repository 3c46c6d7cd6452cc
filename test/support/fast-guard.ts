/** Prevents fast tests from starting processes, listening and connecting. */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const refuse = (what: string) => (): never => {
  throw new Error(`A fast test must not ${what}: take its file out of test/fast.ts.`);
};

// All asynchronous starts go through the prototype.
Object.assign(childProcess.ChildProcess.prototype, { spawn: refuse('start a process') });
for (const name of ['spawnSync', 'execSync', 'execFileSync'] as const)
  Object.assign(childProcess, { [name]: refuse('start a process') });
Object.assign(net.Server.prototype, { listen: refuse('listen') });
Object.assign(net.Socket.prototype, { connect: refuse('connect') });
syncBuiltinESMExports();
