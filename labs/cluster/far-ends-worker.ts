import { parentPort, workerData } from 'node:worker_threads';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { startBalancer } from './balancer.ts';
import type { FarEndsReport, FarEndsRequest } from './far-ends.ts';
import { startModel } from './model-server.ts';

// Given by `far-ends.ts`.
const { wordPauseMs, connectorToken } = workerData as {
  readonly wordPauseMs: number;
  readonly connectorToken: string;
};

const A_DAY_S = 86_400;

const tell = (report: FarEndsReport): void => parentPort?.postMessage(report);
const write = (fields: object, message: string): void =>
  tell({ tell: 'logged', line: `${message} ${JSON.stringify(fields)}` });

const [model, balancer] = await Promise.all([startModel(wordPauseMs), startBalancer()]);
const proxy = await startTokenProxy({
  upstreamUrl: `http://127.0.0.1:${balancer.port}`,
  websocketUrl: `ws://127.0.0.1:${balancer.port}/ws`,
  connectors: { default: { token: connectorToken, host: 'example.com' } },
  ticketKeys: [createTicketKey()],
  allowedOrigins: ['https://example.com'],
  allowRequestsWithoutOrigin: true,
  ticketLifetimeSeconds: A_DAY_S,
  limits: { sessionsPerClient: 0, resumesPerClient: 0, sessionsTotal: 0, resumesTotal: 0 },
  log: { info: write, warn: write, error: write },
});

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
tell({ tell: 'ready', endpoint: proxy.url, modelUrl: model.url });
