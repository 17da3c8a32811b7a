import type { Attack, AttackContext } from '../../attack.ts';
import { encodeFrame } from '../../peers/frames.ts';
import { ask } from '../../peers/hostile-http.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';

// Source: messaging.md 5.6, row 2.
const FRAME_BYTES = 131_072;
const FRAMES = { small: 5, full: 10_000 };
// The refill of section 16.
const FRAME_EVERY_MS = 200;
const FINISH_MS = 300;
// Without them, the frames of extensions are refused (EXT-1).
const JOIN = JSON.stringify({
  type: 'EVENT_TYPE_REQUEST_AGENT_JOIN',
  metadata: { custom: { natter_extensions: 'feedback,stop,cancel_handoff' } },
});

/** The schema of a value in a frame, from the stack's own description. */
interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly maxProperties?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
}

/** A frame for each event that the stack's description lets clients send, all of its texts as long as may be. */
export const filledFrames: Attack = {
  name: 'filled-frames',
  summary: 'fills each text of each frame that clients may send to the largest that is accepted',
  allowed: ['open', /^close (?:1000|1008)$/],
  required: ['open'],
  async run(context) {
    const schemas = await readSchemas(context);
    await Promise.all(schemas.map((schema) => send(context, encodeFrame(fillFrame(schema)))));
  },
};

/** The frames that the platform receives, as it describes them. */
async function readSchemas(context: AttackContext): Promise<readonly Schema[]> {
  const { body } = await ask(context, { target: 'platform', method: 'GET', path: '/asyncapi.json' });
  const { operations, components } = JSON.parse(body) as {
    readonly operations: Readonly<
      Record<string, { readonly action: string; readonly messages: readonly { readonly $ref: string }[] }>
    >;
    readonly components: { readonly messages: Readonly<Record<string, { readonly payload: Schema }>> };
  };
  const names = Object.values(operations)
    .filter(({ action }) => action === 'receive')
    .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split('/').at(-1) ?? ''));
  return names.map((name) => {
    const message = components.messages[name];
    if (message === undefined) throw new Error(`The description has no message "${name}".`);
    return message.payload;
  });
}

async function send(context: AttackContext, frame: Buffer): Promise<void> {
  const socket = await converse(context, await startSession(context));
  if (socket === null) throw new Error('The attackers were given no socket.');
  await socket.write(encodeFrame(JOIN));
  for (let sent = 0; sent < context.pick(FRAMES) && !context.signal.aborted && !socket.isOver; sent += 1) {
    await socket.write(frame);
    await context.pause(FRAME_EVERY_MS);
  }
  await socket.socket.wait(() => socket.isOver, FINISH_MS);
  context.count(socket.isOver ? `close ${socket.closeCode}` : 'open');
  await socket.leave();
}

/** The frame with each text at its limit. Texts without a limit share the bytes that are left in the frame. */
function fillFrame(schema: Schema): string {
  const short = JSON.stringify(fill(schema, 0)).length;
  const freeTexts = JSON.stringify(fill(schema, 1)).length - short;
  const length = freeTexts === 0 ? 0 : Math.floor((FRAME_BYTES - short) / freeTexts);
  return JSON.stringify(fill(schema, length));
}

/** The largest value of a schema; a text without a limit has `length` characters. */
function fill(schema: Schema, length: number): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return fill(schema.anyOf[0] ?? {}, length);
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(schema.maxLength ?? length);
    case 'object':
      return { ...fillProperties(schema, length), ...fillRecord(schema, length) };
    case 'integer':
    case 'number':
      return schema.maximum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      throw new Error(`The attack cannot fill ${JSON.stringify(schema)}: teach it.`);
  }
}

function fillProperties({ properties = {} }: Schema, length: number): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, fill(value, length)]));
}

/** As many keys as may be. */
function fillRecord({ additionalProperties, propertyNames, maxProperties }: Schema, length: number): object {
  if (typeof additionalProperties !== 'object') return {};
  const names = Array.from({ length: maxProperties ?? 1 }, (_, index) =>
    String(index).padEnd(propertyNames?.maxLength ?? 1, 'k'),
  );
  return Object.fromEntries(names.map((name) => [name, fill(additionalProperties, length)]));
}
