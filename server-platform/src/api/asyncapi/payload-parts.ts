import * as v from 'valibot';

/** The schema of an event's payload with a description of the event. */
export interface EventSchema {
  readonly summary: string;
  readonly payload: v.GenericSchema;
}

/** A string. */
export const text = (description: string): v.GenericSchema => v.pipe(v.string(), v.description(description));
/** An integer of `least` or more. */
export const number = (description: string, least = 0): v.GenericSchema =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.description(description));
/** A boolean. */
export const flag = (description: string): v.GenericSchema => v.pipe(v.boolean(), v.description(description));
/** A web address. */
export const webAddress = (description: string): v.GenericSchema =>
  v.pipe(v.string(), v.url(), v.description(description));
/** One of a few strings. */
export const oneOf = <const Values extends readonly string[]>(
  description: string,
  values: Values,
): v.GenericSchema => v.pipe(v.picklist(values), v.description(description));
/** A list. */
export const listOf = (item: v.GenericSchema, description: string): v.GenericSchema =>
  v.pipe(v.array(item), v.description(description));

/** The payload of an event without data. */
export const empty: v.GenericSchema = v.object({});
/** The id of a message. */
export const messageId: v.GenericSchema = text('Names the message within its session.');
/** Whether the visitor or the person is typing. */
export const typingState: v.GenericSchema = oneOf('Whether the typing began or stopped.', [
  'TYPING_STATE_STARTED',
  'TYPING_STATE_STOPPED',
]);
/** The id of a survey. */
export const surveyId: v.GenericSchema = v.pipe(v.string(), v.nonEmpty(), v.description('Names the survey.'));

const attachment = v.object({
  content_type: oneOf('A link card or a picture.', [
    'ATTACHMENT_CONTENT_TYPE_URL',
    'ATTACHMENT_CONTENT_TYPE_IMAGE',
  ]),
  content_url: v.exactOptional(webAddress('The page or the full picture.')),
  title: v.exactOptional(text('Shown above the link, or with the picture.')),
  preview_image_url: v.exactOptional(webAddress('A small picture.')),
  call_to_action_text: v.exactOptional(text('Label of the button that opens the page.')),
});
const suggestion = v.object({
  message_text: text('Shown, and sent as the text of a USER_MESSAGE when the visitor chooses it.'),
  payload: v.exactOptional(text('For the agent; not shown.')),
});
/** A number to call. Source: 7.5. */
export const callAction: v.GenericSchema = v.object({
  title: text('Label of the button.'),
  contact_number: text('Number to call.'),
});
/** Fields of every message to the visitor. Source: 7.5. */
export const richContent: v.ObjectEntries = {
  message_id: messageId,
  text: text('Markdown.'),
  attachments: listOf(attachment, 'Link cards and pictures.'),
  response_suggestions: listOf(suggestion, 'Replies to choose from.'),
};
/** Fields of a whole message from the automated agent. Source: 7.2. */
export const agentContent: v.ObjectEntries = {
  ...richContent,
  chat_call_actions: listOf(callAction, 'Numbers to call.'),
  end_conversation: flag('True: the conversation ends with this message.'),
};
/** Identifies a person of the desk. Source: 7.3. */
export const person: v.ObjectEntries = {
  agent_id: text('Names the person.'),
  agent_name: text('Shown name.'),
};
/** The visitor's answer to a survey. */
export const score: v.GenericSchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(5),
  v.description('5 is best.'),
);
const reason = v.pipe(
  v.nullable(v.pipe(v.string(), v.maxLength(1_000))),
  v.description("In the visitor's words; `null` for none."),
);
const rated = {
  message_id: v.pipe(v.string(), v.nonEmpty(), v.description('A whole message of the automated agent.')),
  rating: v.pipe(v.nullable(v.picklist(['up', 'down'])), v.description('`null` takes the rating back.')),
};
/** A visitor's rating of an answer, as sent by a client. Source: EXT-3. */
export const clientFeedback: v.GenericSchema = v.object({ ...rated, reason: v.exactOptional(reason) });
/** The visitor's rating, as echoed by the platform. */
export const storedFeedback: v.GenericSchema = v.object({ ...rated, reason });
