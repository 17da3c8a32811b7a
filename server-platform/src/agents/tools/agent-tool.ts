import type { Entities } from '../agent.ts';

/** One value of a tool's input, in JSON Schema. */
export interface ToolProperty {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
}

/** The tool's input as JSON Schema. */
export interface ToolInput {
  readonly properties: Readonly<Record<string, ToolProperty>>;
  /** Names of `properties` that a call must have. */
  readonly required?: readonly string[];
}

/** How a slot is filled: the visitors' words for each value, or a pattern. */
export type ToolSlot = Readonly<Record<string, readonly string[]>> | RegExp;

/** Questions that a tool answers, for an agent that works without a model. */
export interface ToolTrigger {
  /**
   * Questions as visitors ask them, in the articles' language. `{name}` stands for a slot; a message that fills fewer
   * slots than an example is not like it.
   */
  readonly examples: readonly string[];
  /** By the name of the property of the input that the slot gives a value to. */
  readonly slots?: Readonly<Record<string, ToolSlot>>;
}

/** The circumstances of a call. */
export interface ToolCallContext {
  /** The visitor's text with corrected spelling, in the articles' language; null when a model calls. */
  readonly text: string | null;
  /** The language that the visitor writes in, such as `de`. */
  readonly language: string;
  /** The visitor's earlier messages that still apply, newest first. */
  readonly earlier: string;
  /**
   * True when the message is like none of the examples, and the tool is asked because it answered the message before:
   * "and on Sunday?"
   */
  readonly isFollowUp: boolean;
  /** Value that the tool stored with its last answer in this conversation; null: none. */
  readonly remembered: unknown;
  /** Dates, times and other facts in the text. */
  readonly entities: Entities;
  /** Context of the visitor's page. Any visitor can write it, so never use it for permissions. */
  readonly page: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1 January 1970. */
  readonly nowMs: number;
  /** Time zone of the company. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
}

/** The answer of a tool. */
export interface ToolAnswer {
  /** Text for the visitor, as Markdown. */
  readonly text: string;
  /** Value for a model, as JSON; absent: the text. */
  readonly data?: unknown;
  /** Slug of the article that says more; its card and its suggestions come with the answer. */
  readonly article?: string | null;
  /** A JSON value for the tool's next call in this conversation. */
  readonly remember?: unknown;
}

/**
 * A function that an agent answers questions with. A model calls it by its name and schema; the agent on articles calls
 * it when a message is more like the examples of its triggers than like the questions of the articles.
 *
 * @example
 * export const tools: readonly AgentTool[] = [
 *   {
 *     name: 'order_status',
 *     description: 'Looks an order up.',
 *     input: { properties: { order: { type: 'string' } }, required: ['order'] },
 *     triggers: [{ examples: ['where is my order {order}'], slots: { order: /\bA-\d{5}\b/i } }],
 *     run: async ({ order }) => ({ text: await readStatus(order) }),
 *   },
 * ];
 */
export interface AgentTool {
  /** Letters, digits and underscores. */
  readonly name: string;
  readonly description: string;
  readonly input: ToolInput;
  /** Absent: the tool is for models. */
  readonly triggers?: readonly ToolTrigger[];
  /** Resolves with null when the message asks for something else: the articles answer it then. */
  run(
    input: Readonly<Record<string, unknown>>,
    context: ToolCallContext,
  ): ToolAnswer | null | Promise<ToolAnswer | null>;
}
