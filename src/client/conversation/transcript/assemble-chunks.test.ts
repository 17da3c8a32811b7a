import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../chat-state.ts';
import { lookUp } from './append-map.ts';
import {
  type Assembly,
  type AssemblyOutput,
  type AssemblyStep,
  addChunk,
  addWhole,
  EMPTY_ASSEMBLY,
  flushStream,
} from './assemble-chunks.ts';
import type { Content } from './to-content.ts';

interface ChunkStep {
  op: 'chunk';
  message_id: string;
  chunk_index: number | null;
  text: string;
  is_complete: boolean;
  attachments?: (string | null)[];
  suggestions?: string[];
  call_actions?: string[];
}
type Step =
  | ChunkStep
  | { op: 'flush'; reason: 'timeout' | 'session_end' | 'closed'; message_id?: string }
  | { op: 'message'; message_id: string; text: string };
interface Case {
  name: string;
  steps: Step[];
  expect: Record<string, unknown>[][];
}

const file = new URL('../../../../test/vectors/chunk-assembly.json', import.meta.url);
const { cases }: { cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

const attachment = (contentUrl: string | null): Attachment => ({
  kind: 'url',
  contentUrl,
  title: null,
  previewImageUrl: null,
  callToActionText: null,
});

const contentOf = (step: Partial<ChunkStep>): Content => ({
  text: step.text ?? '',
  attachments: (step.attachments ?? []).map(attachment),
  suggestions: (step.suggestions ?? []).map((text) => ({ text })),
  callActions: (step.call_actions ?? []).map((phoneNumber) => ({ title: '', phoneNumber })),
});

function run(assembly: Assembly, step: Step): AssemblyStep {
  switch (step.op) {
    case 'chunk':
      return addChunk(assembly, step, contentOf(step), 0);
    case 'flush':
      return flushStream(assembly, step.reason === 'timeout' ? 3_000 : undefined);
    case 'message':
      return addWhole(assembly, step.message_id, contentOf({ text: step.text }));
  }
}

/** Why a message is final in a step; a chunk of one message completes another by replacing it. */
function reasonOf(step: Step, { kind, messageId }: AssemblyOutput): string {
  if (step.op === 'flush') return step.reason;
  if (step.op === 'message') return kind === 'final' ? 'whole' : 'replaced';
  return step.message_id === messageId ? 'complete' : 'switched';
}

function toVector(
  step: Step,
  output: AssemblyOutput,
  { open, closed }: Assembly,
  mentionsCallActions: boolean,
): Record<string, unknown> {
  const { kind, messageId: message_id, content } = output;
  const { text } = content;
  if (kind === 'discard') return { kind, message_id };
  if (kind === 'partial') {
    expect(open?.messageId).toBe(message_id);
    return { kind, message_id, text };
  }
  const stream = lookUp(closed, message_id);
  if (!stream) throw new Error('An output names a message that is not over.');
  const { finalIndex, highest, next } = stream;
  const isFinal = kind === 'final' || step.op === 'message';
  return {
    kind: isFinal ? 'final' : kind,
    message_id,
    text,
    attachments: content.attachments.map(({ contentUrl }) => contentUrl),
    suggestions: content.suggestions.map((suggestion) => suggestion.text),
    complete: finalIndex < Infinity,
    gaps: next <= Math.min(finalIndex, highest),
    ...(isFinal && { reason: reasonOf(step, output) }),
    ...(mentionsCallActions && {
      call_actions: content.callActions.map(({ phoneNumber }) => phoneNumber),
    }),
  };
}

describe('chunk assembly', () => {
  it.each(cases)('assembles the chunks of the vector "$name"', ({ steps, expect: expected }) => {
    const mentionsCallActions = steps.some((step) => step.op === 'chunk' && step.call_actions);
    let assembly = EMPTY_ASSEMBLY;
    const outputs = steps.map((step) => {
      const next = run(assembly, step);
      assembly = next.assembly;
      return next.outputs.map((output) => toVector(step, output, next.assembly, mentionsCallActions));
    });
    expect(outputs).toEqual(expected);
  });

  it('assembles the same message for any order and any repetition of its chunks', () => {
    const shuffled = fc.array(fc.string({ maxLength: 4 }), { minLength: 1, maxLength: 8 }).chain((texts) => {
      const indexes = texts.map((_, index) => index);
      return fc.record({
        texts: fc.constant(texts),
        order: fc
          .array(fc.constantFrom(...indexes), { maxLength: 8 })
          .chain((extra) =>
            fc.shuffledSubarray([...indexes, ...extra], { minLength: texts.length + extra.length }),
          ),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ texts, order }) => {
        let assembly = EMPTY_ASSEMBLY;
        let last: AssemblyOutput | undefined;
        for (const index of order) {
          const piece = {
            message_id: 'm',
            chunk_index: index + 1,
            is_complete: index === texts.length - 1,
          };
          const next = addChunk(assembly, piece, contentOf({ text: texts[index] ?? '' }), 0);
          assembly = next.assembly;
          last = next.outputs.at(-1) ?? last;
        }
        const whole = texts.join('');
        expect(last).toMatchObject(
          whole === '' ? { kind: 'discard' } : { kind: 'final', content: { text: whole } },
        );
      }),
    );
  });
});
