import * as v from 'valibot';

/** An OpenAI-compatible chat-completions endpoint that translates the turns of a project. */
export interface TranslationEndpoint {
  /** Base address of the API (`https://host/v1`) or its chat-completions address. */
  readonly endpoint: string;
  readonly model: string;
  /** Sent as bearer token; null for endpoints without one. Never logged, never part of an error. */
  readonly apiKey: string | null;
  /** Language of the agent, into which user texts are translated: a BCP-47 tag. */
  readonly language: string;
}

const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));

/** Schema of a project's `translation`. */
export const translationSchema: v.GenericSchema<unknown, TranslationEndpoint> = v.strictObject({
  endpoint: v.pipe(
    text,
    v.check((value) => {
      const url = URL.parse(value);
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    }, 'must be an http or https address without a user name'),
  ),
  model: text,
  apiKey: v.optional(
    v.nullable(v.pipe(text, v.regex(/^[\x21-\x7e]+$/, 'must hold no spaces or special characters'))),
    null,
  ),
  language: v.optional(
    v.pipe(
      text,
      v.check((tag) => {
        try {
          return Intl.getCanonicalLocales(tag).length === 1;
        } catch {
          return false;
        }
      }, 'must be a language tag such as "en"'),
    ),
    'en',
  ),
});
