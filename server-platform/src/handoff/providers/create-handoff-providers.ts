import type { WebhookHeaderStyle } from '@natter/sdk';
import type { Clock } from '../../kit/clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { HandoffLink, HandoffProvider, ServerHandoffProvider } from '../session/index.ts';
import type { DeskConfig, HandoffProviderConfig } from './handoff-provider-config.ts';
import { HttpDesk } from './http-desk.ts';
import type { OpenHandoffs } from './open-handoffs.ts';
import { createScriptedDesk } from './scripted-desk.ts';

/** Dependencies of the configured providers. */
export interface HandoffProvidersOptions {
  readonly configs: ReadonlyMap<string, HandoffProviderConfig>;
  readonly open: OpenHandoffs;
  readonly clock: Clock;
  readonly headerStyle: WebhookHeaderStyle;
  /** Makes the provider of the platform's own desk. */
  readonly createDesk: (name: string, config: DeskConfig) => ServerHandoffProvider;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The providers of the configuration, each for the connectors and projects that name it. */
export function createHandoffProviders(options: HandoffProvidersOptions): readonly HandoffProvider[] {
  return [...options.configs].map(([name, config]) => createProvider(name, config, options));
}

function createProvider(
  name: string,
  config: HandoffProviderConfig,
  options: HandoffProvidersOptions,
): HandoffProvider {
  switch (config.kind) {
    case 'client':
      return { managed: 'client', serves: (request) => request.provider === name };
    case 'desk':
      return options.createDesk(name, config);
    case 'scripted':
      return withName(name, createScriptedDesk(config, options.clock));
    case 'http':
      return withName(
        name,
        new HttpDesk({
          ...options,
          config,
          client: createOutboundClient({ allowsPrivateAddresses: true, clock: options.clock }),
        }),
      );
  }
}

/** Serves the projects that name it, and after a restart resumes only its own hand-offs. */
function withName(name: string, provider: ServerHandoffProvider): ServerHandoffProvider {
  const signed = (link: HandoffLink): HandoffLink => ({
    reference: { provider: name, reference: link.reference },
    sendMessage: (message) => link.sendMessage(message),
    sendTyping: (state) => link.sendTyping(state),
    sendRead: (messageId) => link.sendRead?.(messageId),
    close: (reason) => link.close(reason),
  });
  return {
    managed: 'server',
    serves: (request) => request.provider === name,
    open: async (request, session) => signed(await provider.open(request, session)),
    async resume({ sessionId, reference, isLive }, session) {
      if (typeof reference !== 'object' || reference === null) return null;
      if (Reflect.get(reference, 'provider') !== name) return null;
      const own = { sessionId, isLive, reference: Reflect.get(reference, 'reference') };
      const link = await provider.resume(own, session);
      return link === null ? null : signed(link);
    },
  };
}
