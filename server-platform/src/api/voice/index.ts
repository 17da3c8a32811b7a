/** Previews of voices, and the audio that is stored. */
export type { ObjectStoreSettings } from './object-store.ts';
export { openStoredAudio, type StoredAudio } from './stored-audio.ts';
export { openAudioOfNode, type SpeakPreview, startVoiceFamily, type VoiceServices } from './voice-family.ts';
export {
  BUILT_IN_PROVIDER,
  hasProvider,
  type VoiceSettings,
  voiceSettingsEntries,
} from './voice-settings.ts';
