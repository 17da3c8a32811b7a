import type { SettingSection } from './setting-sections.ts';

const IDENTITY = {
  name: 'name that visitors read',
  avatarUrl: { help: 'address of a picture of the agent', fallback: 'none' },
  'handoff.destination':
    'name of the place to which conversations are handed; the desk and the records show it',
  'handoff.managed': 'side that connects to the person: the platform (`server`) or the page (`client`)',
  'handoff.queueName': { help: 'name of the queue that the visitor waits in', fallback: 'none' },
} as const;

const ENDPOINT_LIMITS = {
  timeouts: 'how long the endpoint may take',
  'timeouts.firstByteMs': 'until the first byte of an answer',
  'timeouts.idleMs': 'between two bytes',
  'timeouts.totalMs': 'for the whole answer',
  retries: 'how failed requests are repeated; never once an answer has begun',
  'retries.maxAttempts': 'requests in all',
  'retries.baseDelayMs': 'wait before the second; it doubles each time',
  'retries.maxDelayMs': 'longest wait',
} as const;

const SHARED = {
  ...IDENTITY,
  replies:
    "sentences by language and name, instead of the ones in the platform's folder `knowledge/replies`; placeholders are in braces",
  starters: 'questions that a new conversation offers to tap',
  helpBaseUrl: {
    help: 'address of the help site, under which each article has its slug; answers name their article as a source',
    fallback: 'links between articles become plain text',
  },
  handoff: { help: 'hands a conversation over when the visitor asks for a person', fallback: 'off' },
  emergency: 'emergency contacts shown when a life is in danger',
  'emergency.numbers': { help: 'emergency numbers', fallback: 'the numbers of `country`' },
  'emergency.helpline':
    'help for visitors in despair; default: one of the `country`, else the emergency numbers',
  'emergency.helpline.name': 'its name',
  'emergency.helpline.number': 'its number',
  country: {
    help: 'country of the company, two letters such as `GB`, for the emergency numbers',
    fallback: 'the number 112',
  },
  timeZone: 'time zone of the company',
  tools: {
    help: "ES module that exports a list of tools as `tools` ([Tools](platform.md#tools)); a relative path starts at the file's own folder",
    fallback: 'none',
  },
  alternatives:
    'groups of names that replace each other in a follow-up ("and in Leeds?"), such as the places of the company',
  synonyms:
    'groups of words that the company\'s visitors use for each other, such as `["boat", "ferry"]`, beside the everyday ones',
} as const;

/** The settings of the agents, by kind. */
export const AGENT_SECTIONS: readonly SettingSection[] = [
  {
    title: '`agents.*`, kind `knowledge`',
    at: ['agents.*(knowledge)'],
    intro:
      'Answers from the Markdown articles of a folder, without a model and without a network. A project names the agent by its name under `agents`.',
    settings: {
      ...SHARED,
      kind: '`knowledge`',
      knowledgeFolder: "folder of the articles; a relative path starts at the file's own folder",
      company: { help: 'name of the company, in texts of the agent', fallback: 'none' },
      greeting: {
        help: 'first words of a conversation; they must say that the agent is automated',
        fallback: "made of name and company, in the visitor's language",
      },
      phone: {
        help: 'phone number that the agent offers when the visitor asks for a call',
        fallback: 'none',
      },
      'phone.number': 'the number',
      'phone.title': 'text beside it, such as opening hours',
      contacts:
        'desks of the company; the first is the general one, whose hours the agent names with a person',
      'contacts[].title': 'name of the desk',
      'contacts[].phone': { help: 'its phone number', fallback: 'none' },
      'contacts[].email': { help: 'its email address', fallback: 'none' },
      'contacts[].url': { help: 'address of its page', fallback: 'none' },
      'contacts[].hours': {
        help: 'when it is staffed, such as `Mo-Fr 09:00-17:00; Sa 10:00-14:00` ([how hours are written](embedding.md#business-hours)). The agent says these in the language of the visitor, and whether the desk is open now. Other words, such as `by appointment`, are shown as written',
        fallback: 'none',
      },
      'contacts[].words': 'phrases of visitors who mean this desk',
      bookingsUrl: {
        help: 'where visitors see and change their bookings or orders. Without it an article that is about them answers, where there is one',
        fallback: 'none',
      },
      complaintsEmail: { help: 'address for complaints', fallback: 'none' },
      languages: 'language tags that a visitor may ask for; the first is the language of the articles',
      eventFlows: 'answers of the agent when a visitor starts something that another system finishes',
      'eventFlows[].name': 'name of the flow',
      'eventFlows[].phrases': 'phrases of visitors that start it',
      'eventFlows[].text': "the answer; `{event_id}` stands for the event's id",
      'eventFlows[].receivedText': 'what the agent says when the event has arrived',
      'eventFlows[].timedOutText': 'what the agent says when it has not arrived in time',
      'eventFlows[].timeoutMs': 'how long the agent waits for the event',
      places: 'names of places as visitors write them; a route between two of them is recorded with the turn',
      pacing: 'pause between the pieces of a streamed answer',
      'pacing.minMs': 'shortest pause',
      'pacing.maxMs': 'longest pause',
      maxAnswerCharacters: 'an answer includes the text after its best passage up to this length',
    },
  },
  {
    title: '`agents.*`, kind `llm`',
    at: ['agents.*(llm)'],
    intro:
      'Answers through a model, with tools to search articles, to hand over and to end. [What each provider needs](models.md).',
    settings: {
      ...SHARED,
      kind: '`llm`',
      knowledgeFolder: { help: 'folder of articles that the model may search', fallback: 'none' },
      greeting: 'first words of a conversation',
      url: 'address of the endpoint, such as `https://host/v1`; an address that ends in `/responses` or `/messages` selects another [API](models.md)',
      apiKey: { help: 'key of the endpoint', fallback: 'none' },
      model: 'name of the model',
      systemPrompt: 'who the company is, and the tone of its agent; the rules of answering come after it',
      extraBody: 'fields to add to every request',
      ...ENDPOINT_LIMITS,
      'timeouts.firstWordMs':
        'until the first word, or tool call, of each answer of the model; thinking is none',
      tokenLimits: 'tokens that may be spent; after that the articles answer',
      'tokenLimits.conversation': { help: 'in a conversation', fallback: 'any number' },
      'tokenLimits.projectPerDay': {
        help: 'by a project on a day of `timeZone`',
        fallback: 'any number',
      },
      prices: {
        help: 'price of a million tokens, in any currency; turns then have the metric `llm_cost`',
        fallback: 'none',
      },
      'prices.input': 'of requests',
      'prices.output': 'of answers, with the thoughts',
      'prices.cachedInput': {
        help: 'of the part of requests that the provider has in its cache',
        fallback: '`prices.input`',
      },
      costLimits: 'money that may be spent, in the currency of `prices`; after that the articles answer',
      'costLimits.conversation': { help: 'in a conversation', fallback: 'any amount' },
      'costLimits.projectPerDay': {
        help: 'by a project on a day of `timeZone`',
        fallback: 'any amount',
      },
      maxHistory: 'earlier messages that the model sees',
      maxSteps: 'requests to the model for one answer, when it uses tools',
    },
  },
  {
    title: '`agents.*`, kind `webhook`',
    at: ['agents.*(webhook)'],
    intro:
      'A bot of your own: each turn is posted to its address, [signed like a webhook](protocol/webhooks.md). See [Your own bot](own-agent.md).',
    settings: {
      ...IDENTITY,
      kind: '`webhook`',
      handoff: {
        help: 'destination of a hand-off that names none',
        fallback: 'the bot names one',
      },
      url: 'where turns are posted; `https`, and a public address unless `rest.webhook_private_addresses` is on',
      secret: 'signs the turns; at least 32 characters',
      ...ENDPOINT_LIMITS,
    },
  },
];
