import type { Clock } from '../../kit/clock.ts';
import { admitsHost, type ConnectorDirectory } from '../conversation/index.ts';

/** An open socket with the connector that admitted it. */
export interface ConnectorSocket {
  readonly connectorId: string;
  /** The registered host that its token was minted for. */
  readonly host: string;
  /** Called when its connector no longer admits it. */
  onRevoked(): void;
}

/** Options of {@link RevocationWatch}. */
export interface RevocationWatchOptions {
  readonly clock: Clock;
  readonly connectors: Pick<ConnectorDirectory, 'findById'>;
  readonly sockets: () => Iterable<ConnectorSocket>;
  readonly onFailure: (error: unknown) => void;
}

// Sockets must close within two seconds (TOK-6): this interval, the statement, and the network.
const INTERVAL_MS = 1_000;

/**
 * Closes the sockets of connectors that were revoked or removed, or that lost the host. Reads the connectors of this
 * node's sockets once a second in shared statements, so that every change in the database takes effect, including changes by other programs.
 * Reads nothing while no socket is open.
 */
export class RevocationWatch {
  readonly #options: RevocationWatchOptions;
  #isStopped = false;
  #hasReported = false;
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
        // A socket opened meanwhile has passed the same check.
        if (connector !== undefined && !admitsHost(connector, host)) onRevoked();
      }
      this.#hasReported = false;
    } catch (error) {
      // Reports once per outage of the database, and continues.
      if (!this.#hasReported) onFailure(error);
      this.#hasReported = true;
    }
  }
}
