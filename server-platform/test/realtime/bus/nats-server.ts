import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine has the program `nats-server`. */
export const HAS_NATS_SERVER: boolean = spawnSync('nats-server', ['--version']).status === 0;

/** A NATS server of a test. */
export interface TestNatsServer {
  readonly port: number;
  /** Ends the process at once. */
  stop(): Promise<void>;
}

/** Starts `nats-server` on a port of 127.0.0.1; 0: a free one. `config` is in the language of its configuration file. */
export async function startNatsServer(config: string, port = 0): Promise<TestNatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-nats-'));
  const file = join(folder, 'nats.conf');
  await writeFile(file, `listen: "127.0.0.1:${port === 0 ? -1 : port}"\n${config}\n`);
  const server = spawn('nats-server', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(server, 'exit');
  const isHeard = new Promise<number>((resolve, reject) => {
    let output = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const listening = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
      if (listening !== undefined && output.includes('Server is ready')) resolve(Number(listening));
    });
    void exited.then(() => reject(new Error(`nats-server did not start.\n${output}`)));
  });
  return {
    port: await isHeard,
    async stop() {
      server.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
