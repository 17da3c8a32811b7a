// The request for an answer by email. Loaded if the site accepts such requests.
export { default as css } from './contact.css?inline';
export { ContactOffer } from './contact-offer.tsx';
