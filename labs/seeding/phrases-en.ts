import type { Phrases } from './phrases.ts';

export const ENGLISH: Phrases = {
  language: 'en',
  greetings: [
    "Hello, I'm Ada, the automated assistant of Kittiwake Ferries. How can I help?",
    "Welcome to Kittiwake Ferries. I'm an automated assistant. What would you like to know?",
  ],
  topics: [
    {
      intent: 'timetable',
      questions: [
        'When does the last ferry to {place} leave on {day}?',
        'what time is the {day} boat from {place}',
        'Is there an early crossing to {place}?',
      ],
      answers: [
        'On {day} the last ferry to {place} leaves at {time}. Please be there 30 minutes before.',
        'There are {count} crossings to {place} on {day}; the first one leaves at {time}.',
      ],
    },
    {
      intent: 'booking-change',
      questions: [
        'I need to change my booking {number} to {day}',
        'Can I move my reservation {number}? Something came up.',
        'please rebook {number} for {count} people',
      ],
      answers: [
        'I have moved booking {number} to {day}, {time}. You will get a confirmation by email.',
        'Booking {number} can be changed free of charge until two hours before departure.',
      ],
    },
    {
      intent: 'refund',
      questions: [
        'My crossing was cancelled. How do I get a refund for {number}?',
        'refund for booking {number} please, it is {count} days late',
        'I want my money back for the trip to {place}.',
      ],
      answers: [
        'The refund for {number} goes back to your card within {count} working days.',
        'For a cancelled crossing you get the full fare back. I have started it for {number}.',
      ],
    },
    {
      intent: 'pets',
      questions: [
        'Can I bring my dog on the boat to {place}?',
        'do dogs need a ticket',
        'We travel with {count} cats, is there a pet cabin?',
      ],
      answers: [
        'Dogs on a lead travel free on the open deck and in the pet lounge.',
        'Pet cabins can be booked until {day}; there are {count} left on the crossing at {time}.',
      ],
    },
    {
      intent: 'vehicles',
      questions: [
        'How high may my camper van be?',
        'I would like to take {count} bicycles to {place}',
        'Is there parking at the {place} terminal?',
      ],
      answers: [
        'Vehicles up to 4.2 metres fit on the car deck. Higher ones need a call before {day}.',
        'Bicycles travel free of charge. At the {place} terminal there are {count} car parks.',
      ],
    },
    {
      intent: 'disruption',
      questions: [
        'Is the {time} sailing to {place} running today? The weather looks awful.',
        'why is my ferry delayed',
        'Any disruptions on {day}?',
      ],
      answers: [
        'The {time} sailing to {place} is running with a delay of about {count} minutes.',
        'Because of strong winds there may be changes on {day}. We send a text message when yours is affected.',
      ],
    },
    {
      intent: 'accessibility',
      questions: [
        'My mother uses a wheelchair. Who helps us on board at {place}?',
        'Is there a lift on the boat?',
        'I need assistance on {day} at {time}.',
      ],
      answers: [
        'Our crew meets you at the {place} terminal. Please ring {count} hours before.',
        'All ships have a lift and {count} accessible cabins.',
      ],
    },
    {
      intent: 'lost-property',
      questions: [
        'I left a blue rucksack on the boat from {place} on {day}',
        'lost my glasses on board, booking {number}',
        'Did anybody find a child’s coat?',
      ],
      answers: [
        'I have reported it under {number}. Found items are kept for {count} weeks.',
        'Items from the {place} route are at the terminal office, open until {time}.',
      ],
    },
  ],
  strange: ['What is the meaning of life?', 'who won the football last night', 'Can you write my homework?'],
  ignorance: [
    "I'm sorry, I don't know. Our help articles don't seem to cover that.",
    "I can't help with that. Would you like to know something about our ferries?",
  ],
  thanks: ['Thanks!', 'great, thank you so much', 'ok cheers', 'That is all, thanks.'],
  farewells: ['You are welcome. Have a pleasant crossing!', 'My pleasure. Goodbye!'],
  personPlease: ['I want to talk to a real person', 'agent please', 'this is useless, get me a human'],
  handingOver: ['I will connect you with a colleague.', 'One moment, somebody will be with you soon.'],
  stillThere: ['Are you still there?', 'I did not hear anything. Could you say that again?'],
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
};
