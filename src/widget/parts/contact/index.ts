// A request for an answer by e-mail: fetched where the site takes such requests.
export { default as css } from './contact.css?inline';
export { ContactOffer } from './contact-offer.tsx';
