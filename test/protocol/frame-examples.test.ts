import type { Platform } from '@natter/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExamplePlatform } from './example-platform.ts';
import type { Frame } from './example-visitor.ts';
import { findDifferences } from './find-differences.ts';
import { holdConversations } from './hold-conversations.ts';
import { type Example, readExamples } from './read-examples.ts';
import { sendFrame } from './send-frame.ts';

/** A frame of a client, and the frames that the page prints as answers. */
interface Exchange {
  readonly place: string;
  readonly frame: Frame;
  readonly answers: readonly Frame[];
}

const examples = readExamples('messaging.md').filter(({ kind }) => kind === 'client' || kind === 'platform');
const read = ({ text }: Example): Frame => JSON.parse(text);

/** Groups frames of the platform with the preceding frame of a client in the same section. */
function groupBySender(): { readonly exchanges: readonly Exchange[]; readonly alone: readonly Example[] } {
  const exchanges: { place: string; section: string; frame: Frame; answers: Frame[] }[] = [];
  const alone: Example[] = [];
  for (const example of examples) {
    const last = exchanges.at(-1);
    const { place, section } = example;
    if (example.kind === 'client') exchanges.push({ place, section, frame: read(example), answers: [] });
    else if (last?.section === section) last.answers.push(read(example));
    else alone.push(example);
  }
  return { exchanges, alone };
}

const { exchanges, alone } = groupBySender();

let platform: Platform;
beforeAll(async () => {
  platform = await startExamplePlatform();
});
afterAll(() => platform.close());

describe('docs/protocol/messaging.md', () => {
  it.each(exchanges.filter(({ answers }) => answers.length > 0))(
    'messaging.md has a frame at $place that is answered as printed',
    async ({ frame, answers }) => {
      for (const answer of answers) expect(await sendFrame(platform.url, frame, answer)).not.toBeNull();
    },
  );

  it.each(exchanges.filter(({ answers }) => answers.length === 0))(
    'messaging.md has a frame at $place that is accepted without an answer',
    async ({ frame }) => {
      expect(await sendFrame(platform.url, frame, null)).toBeNull();
    },
  );

  it('the test would detect a frame that is refused', async () => {
    const refused = await sendFrame(platform.url, { type: 'EVENT_TYPE_AGENT_LEFT', payload: {} }, null);
    expect(refused).toMatchObject({ payload: { message: 'Event type not allowed: EVENT_TYPE_AGENT_LEFT' } });
  });

  it('messaging.md has frames of the platform as a platform sends them', async () => {
    const frames = await holdConversations(platform);
    const wrong = alone.filter(
      (example) => !frames.some((frame) => findDifferences(read(example), frame).length === 0),
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
    expect(alone.length).toBeGreaterThan(20);
  });

  it('messaging.md has all examples of /asyncapi.json', async () => {
    const document: {
      readonly components: {
        readonly messages: Readonly<
          Record<string, { readonly examples: readonly { readonly payload: Frame }[] }>
        >;
      };
    } = await (await fetch(`${platform.url}/asyncapi.json`)).json();
    const printed = examples.map(read);
    for (const message of Object.values(document.components.messages))
      for (const { payload } of message.examples) expect(printed).toContainEqual(payload);
  });
});
