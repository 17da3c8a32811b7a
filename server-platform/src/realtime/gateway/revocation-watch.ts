import type { Clock } from '../../kit/clock.ts';
import { admitsHost, type ConnectorDirectory } from '../conversation/index.ts';

/** An open socket, as its connector let it in. */
export interface ConnectorSocket {
  readonly connectorId: string;
  /** The registered host that its token was minted for. */
  readonly host: string;
  /** Its connector does not let it in any more. */
  onRevoked(): void;
}

/** What the watch needs. */
export interface RevocationWatchOptions {
  readonly clock: Clock;
  readonly connectors: Pick<ConnectorDirectory, 'findById'>;
  readonly sockets: () => Iterable<ConnectorSocket>;
  readonly onFailure: (error: unknown) => void;
}

// Sockets close within two seconds (TOK-6): this, the statement, and the way to the peer.
const INTERVAL_MS = 1_000;

/**
 * Closes the sockets of connectors that were revoked or removed, or that lost the host. Reads the connectors of this
 * node's sockets once a second, in statements that they share, so that it makes no difference which node, command or
 * hand has changed the database. Reads nothing while no socket is open.
 */
export class RevocationWatch {
  readonly #options: RevocationWatchOptions;
  #isStopped = false;
  #hasComplained = false;
  #cancel: () => void = () => {};

  constructor(options: RevocationWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.setTimer(() => {
      void this.#look().finally(() => {
        if (!this.#isStopped) this.start();
      });
    }, INTERVAL_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { connectors, sockets, onFailure } = this.#options;
    const ids = new Set([...sockets()].map(({ connectorId }) => connectorId));
    try {
      const found = await Promise.all(
        [...ids].map(async (id) => [id, await connectors.findById(id)] as const),
      );
      const byId = new Map(found);
      for (const { connectorId, host, onRevoked } of sockets()) {
        const connector = byId.get(connectorId);
        // A socket that came meanwhile has passed the same check.
        if (connector !== undefined && !admitsHost(connector, host)) onRevoked();
      }
      this.#hasComplained = false;
    } catch (error) {
      // Once per outage of the database; the watch continues.
      if (!this.#hasComplained) onFailure(error);
      this.#hasComplained = true;
    }
  }
}
