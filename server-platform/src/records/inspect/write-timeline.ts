import type { Timeline } from './timeline.ts';

const KIND_WIDTH = 9;
const TIME_WIDTH = 12;

/** Formats a timeline for people: a header, a line per step, and the missing parts. Times are UTC. */
export function writeTimeline(life: Timeline): readonly string[] {
  const nodes = new Set(life.steps.flatMap(({ node }) => node ?? []));
  let day = '';
  const steps = life.steps.flatMap((step) => {
    const lines = writeStep(step, nodes.size > 1);
    const isNewDay = !step.at.startsWith(day) || day === '';
    day = step.at.slice(0, 10);
    return isNewDay ? ['', `${day}, UTC`, ...lines] : lines;
  });
  const more =
    life.next_after === null ? [] : [`More events follow: add --after ${life.next_after} to see them.`];
  return [...writeHead(life), ...steps, '', ...more, ...life.notes].filter(
    (line, index, all) => line !== '' || index < all.length - 1,
  );
}

function writeHead({ session, conversation }: Timeline): readonly string[] {
  const owner = session?.owner ? `, written by ${session.owner} (epoch ${session.epoch})` : '';
  return [
    ...(session === null ? [] : [`Session ${session.id}: ${session.state}${owner}`]),
    ...(conversation === null
      ? ['No conversation started: no client requested an agent.']
      : [
          `Conversation ${conversation.id} in ${conversation.project}, ${conversation.channel}: ${
            conversation.ended_at === null ? 'open' : `over (${conversation.end_reason})`
          }, turns: ${conversation.num_turns}`,
        ]),
    ...(session?.trace_id ? [`Trace ${session.trace_id}`] : []),
  ];
}

function writeStep({ at, until, kind, summary, node, text }: Timeline['steps'][number], hasNodes: boolean) {
  const time = at.slice(11, 11 + TIME_WIDTH);
  const end = until === null || until === at ? '' : `, until ${until.slice(11, 11 + TIME_WIDTH)}`;
  const where = hasNodes && node !== null ? ` [${node}]` : '';
  return [
    `${time}  ${kind.padEnd(KIND_WIDTH)} ${summary}${end}${where}`,
    ...(text === null ? [] : [`${' '.repeat(TIME_WIDTH + KIND_WIDTH + 3)}${quote(text)}`]),
  ];
}

const CONTROLS = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Puts visitor text on one line, without characters that control a terminal. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
