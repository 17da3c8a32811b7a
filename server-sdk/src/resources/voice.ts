import * as v from 'valibot';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, checkBody, prepareCall, writeJson } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { readJson } from '../http/read-answer.ts';
import { boundedText, flag, freeMap, nonEmptyText, patternText, text } from '../schema/fields.ts';
import { closedObjectOf, type Fields, objectOf, type Schema } from '../schema/object-of.ts';
import { projectIdSchema } from '../schema/path-ids.ts';
import { queryFault } from '../schema/query-fault.ts';
import { readerOf } from '../schema/reader-of.ts';
import { toVendorFields, VENDOR_FIELDS } from '../schema/vendor-names.ts';

/** Longest text. Source: section 8. */
export const PREVIEW_TEXT_MAX_CHARACTERS = 1000;

const body = {
  /** 1 to 1000 characters. */
  text: boundedText('What to say.', 1, PREVIEW_TEXT_MAX_CHARACTERS),
  /** BCP-47 tag. */
  language: patternText(
    'BCP-47 tag.',
    /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
    'must be a BCP-47 language tag',
  ),
  /** Settings of the provider, such as the voice; may be empty. */
  config: freeMap('Settings of the provider; may be empty.'),
  /** The platform's default when absent. */
  provider: v.optional(nonEmptyText('Provider; a default applies.')),
  /** True: a presigned URL that lives 1 hour; otherwise one that lives 10 minutes. `storeOnS3` for the vendor. */
  storeOnObjectStorage: v.optional(
    flag('Whether the URL is presigned and lives 1 hour; 10 minutes otherwise.'),
  ),
};

const audio = {
  url: nonEmptyText('URL of the audio.'),
  /** The text that was given. */
  text: text('The text that was given.'),
};

/** The text to speak, and the voice settings. Source: section 8. */
export interface GenerateAudioBody extends Fields<typeof body> {}

/** Where the audio is. */
export interface GeneratedAudio extends Fields<typeof audio> {}

/** Schema of the body: both names of the storage flag are read, the neutral one comes out. Source: section 8. */
export const generateAudioBodySchema: Schema<GenerateAudioBody> = v.pipe(
  closedObjectOf('GenerateAudioBody', 'What to say, and how.', {
    ...body,
    storeOnS3: v.optional(flag("The vendor's name of `storeOnObjectStorage`.")),
  }),
  queryFault(({ storeOnObjectStorage: neutral, storeOnS3: vendor }) =>
    neutral !== undefined && vendor !== undefined && neutral !== vendor
      ? { field: 'storeOnS3', message: 'must equal storeOnObjectStorage' }
      : null,
  ),
  v.transform(({ storeOnS3, ...body }): GenerateAudioBody => {
    const stores = body.storeOnObjectStorage ?? storeOnS3;
    return stores === undefined ? body : { ...body, storeOnObjectStorage: stores };
  }),
);

/** Schema of the answer. */
export const generatedAudioSchema: Schema<GeneratedAudio> = objectOf(
  'GeneratedAudio',
  'Address of the audio.',
  audio,
);

/** `POST …/v1/agents/{agentId}/generate-audio`. Source: section 8. */
export const generateAudioOperation: Operation = {
  id: 'voiceGenerateAudio',
  family: 'voice',
  service: 'monitoring',
  method: 'POST',
  path: '/v1/agents/{agentId}/generate-audio',
  summary: 'Speak a text in a voice.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  pathParameters: { agentId: projectIdSchema },
  body: { isRequired: true, schema: generateAudioBodySchema },
  success: { status: 200, description: 'Address of the audio.', schema: generatedAudioSchema },
  errors: [400, 401, 403, 404, 502],
  errorShape: 'M',
};

/** Voice preview, from the monitoring service. Needs `monitorApiKey`. Source: section 8. */
export interface VoiceClient {
  /** Generates audio; the agent is the project. Sent again only when it was refused with 429: each call costs. */
  readonly generateAudio: (body: GenerateAudioBody, options?: ProjectCallOptions) => Promise<GeneratedAudio>;
}

const audioReader = readerOf(generatedAudioSchema);

/** The voice family's part of the client. */
export function createVoiceClient(core: ClientCore): VoiceClient {
  return {
    generateAudio: async (given, options = {}) => {
      const fields = { ...checkBody(generateAudioBodySchema, given) };
      const written = core.usesVendorNames('voice')
        ? toVendorFields(fields, VENDOR_FIELDS.voicePreview)
        : fields;
      const call = { ...prepareCall(core, generateAudioOperation, {}, options), ...writeJson(written) };
      return readJson(core.transport, call, audioReader);
    },
  };
}
