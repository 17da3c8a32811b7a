import { connect } from '@nats-io/transport-node';

/** Counts the messages between the nodes over NATS. */
export type BusWatch = {
  readonly read: () => { readonly messages: number; readonly bytes: number };
  readonly close: () => Promise<void>;
};

/** Listens to everything of the platform's nodes. Null: there is no server. */
export async function watchBus(server: string): Promise<BusWatch | null> {
  try {
    const connection = await connect({ servers: server, maxReconnectAttempts: 0, timeout: 1_000 });
    let [messages, bytes] = [0, 0];
    connection.subscribe('>', {
      callback(_, { data, subject }) {
        messages += 1;
        bytes += data.length + subject.length;
      },
    });
    return { read: () => ({ messages, bytes }), close: () => connection.close() };
  } catch {
    return null;
  }
}
