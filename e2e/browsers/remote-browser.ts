/** Waits as long as a busy machine may take. */
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/** A step of input, written alike in WebDriver and in WebDriver BiDi. */
export type InputActions = readonly Readonly<Record<string, unknown>>[];

/** Commands to a browser over its own protocol. Tabs have ids; each command runs in one of them. */
export interface RemoteBrowser {
  readonly version: string;
  /** A new tab, in front. */
  openTab(url: string): Promise<string>;
  closeTab(tab: string): Promise<void>;
  bringToFront(tab: string): Promise<void>;
  reload(tab: string): Promise<void>;
  /** The value of an expression, by way of JSON. */
  evaluate(tab: string, expression: string): Promise<unknown>;
  perform(tab: string, actions: InputActions): Promise<void>;
  close(): Promise<void>;
}

/** Asks until there is something. */
export async function waitFor<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
