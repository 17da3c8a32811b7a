// The question how the conversation was: fetched when a platform asks it.
export { Survey } from './survey.tsx';
