import { parentPort, workerData } from 'node:worker_threads';
import { startTokenProxy } from '@natter/token-proxy/node';
import { unlimitedProxy } from '../soak/unlimited-proxy.ts';
import { startBalancer } from './balancer.ts';
import type { FarEndsReport, FarEndsRequest } from './far-ends.ts';
import { startModel } from './model-server.ts';

// Given by `far-ends.ts`.
const { wordPauseMs, connectorToken } = workerData as {
  readonly wordPauseMs: number;
  readonly connectorToken: string;
};

const send = (report: FarEndsReport): void => parentPort?.postMessage(report);
const write = (fields: object, message: string): void =>
  send({ kind: 'logged', line: `${message} ${JSON.stringify(fields)}` });

const [model, balancer] = await Promise.all([startModel(wordPauseMs), startBalancer()]);
const proxy = await startTokenProxy(unlimitedProxy({ upstreamPort: balancer.port, connectorToken, write }));

async function obey(request: FarEndsRequest): Promise<void> {
  switch (request.ask) {
    case 'hold':
      return model.hold();
    case 'release':
      return model.release();
    case 'balance':
      return balancer.balance(request.ports);
    case 'close':
      await Promise.all([proxy.close(), balancer.close(), model.close()]);
      parentPort?.close();
  }
}

parentPort?.on('message', (request: FarEndsRequest) => void obey(request));
send({ kind: 'ready', endpoint: proxy.url, modelUrl: model.url });
