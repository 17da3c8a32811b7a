import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireAttachment } from '../../protocol/index.ts';
import {
  type Assembly,
  type AssemblyOutput,
  type AssemblyStep,
  addChunk,
  addWhole,
  EMPTY_ASSEMBLY,
  findStream,
  flushStreams,
  hasHole,
  type MessageContent,
} from './assemble-chunks.ts';

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

const file = new URL('../../../test/vectors/chunk-assembly.json', import.meta.url);
const { cases }: { cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

const attachment = (content_url: string | null): WireAttachment => ({
  content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
  content_url,
  title: null,
  preview_image_url: null,
  call_to_action_text: null,
});

const contentOf = (step: Partial<ChunkStep>): MessageContent => ({
  text: step.text ?? '',
  attachments: (step.attachments ?? []).map(attachment),
  response_suggestions: (step.suggestions ?? []).map((message_text) => ({ message_text, payload: null })),
  chat_call_actions: (step.call_actions ?? []).map((contact_number) => ({ title: '', contact_number })),
});

function run(assembly: Assembly, step: Step): AssemblyStep {
  switch (step.op) {
    case 'chunk':
      return addChunk(assembly, {
        message_id: step.message_id,
        chunk_index: step.chunk_index,
        is_complete: step.is_complete,
        end_conversation: false,
        ...contentOf(step),
      });
    case 'flush':
      return flushStreams(assembly, step.reason, step.message_id ?? null);
    case 'message':
      return addWhole(assembly, step.message_id, contentOf({ text: step.text }));
  }
}

function toVector(
  output: AssemblyOutput,
  assembly: Assembly,
  mentionsCallActions: boolean,
): Record<string, unknown> {
  if (output.kind === 'discard') return { kind: 'discard', message_id: output.messageId };
  if (output.kind === 'partial') return { kind: 'partial', message_id: output.messageId, text: output.text };
  const stream = findStream(assembly, output.messageId);
  if (!stream) throw new Error('An output names a message that the assembly does not know.');
  const isWhole = stream.status === 'whole';
  return {
    kind: output.kind,
    message_id: output.messageId,
    text: output.text,
    attachments: output.attachments.map(({ content_url }) => content_url),
    suggestions: output.response_suggestions.map(({ message_text }) => message_text),
    complete: isWhole || stream.finalIndex !== null,
    gaps: !isWhole && hasHole(stream),
    ...(output.kind === 'final' && { reason: output.reason }),
    ...(mentionsCallActions && {
      call_actions: output.chat_call_actions.map((action) => action.contact_number),
    }),
  };
}

describe('chunk assembly', () => {
  it.each(cases)('follows the contract: $name', ({ steps, expect: expected }) => {
    const mentionsCallActions = steps.some((step) => step.op === 'chunk' && step.call_actions);
    let assembly = EMPTY_ASSEMBLY;
    const outputs = steps.map((step) => {
      const next = run(assembly, step);
      assembly = next.assembly;
      return next.outputs.map((output) => toVector(output, next.assembly, mentionsCallActions));
    });
    expect(outputs).toEqual(expected);
  });

  it('ends in the same message for any order and any repetition of its chunks', () => {
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
          const next = addChunk(assembly, {
            message_id: 'm',
            chunk_index: index + 1,
            is_complete: index === texts.length - 1,
            end_conversation: false,
            ...contentOf({ text: texts[index] ?? '' }),
          });
          assembly = next.assembly;
          last = next.outputs.at(-1) ?? last;
        }
        const whole = texts.join('');
        expect(last).toMatchObject(
          whole === '' ? { kind: 'discard' } : { kind: 'final', text: whole, reason: 'complete' },
        );
      }),
    );
  });
});
