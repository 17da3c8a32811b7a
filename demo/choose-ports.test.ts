import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { choosePorts } from './choose-ports.ts';

it('asks for free ports without a first one', async () => {
  expect(await choosePorts(null, 3)).toEqual({ ports: [0, 0, 0], taken: [] });
});

it('takes a free port in the place of one that another program listens on, and names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await choosePorts(port, 1)).toEqual({ ports: [0], taken: [port] });

  other.close();
  await once(other, 'close');
  expect(await choosePorts(port, 1)).toEqual({ ports: [port], taken: [] });
});
