import type { Phrases } from './phrases.ts';

export const SPANISH: Phrases = {
  language: 'es',
  greetings: ['Hola, soy Ada, la asistente automática de Kittiwake Ferries. ¿En qué puedo ayudarle?'],
  topics: [
    {
      intent: 'timetable',
      questions: ['¿A qué hora sale el último ferry a {place} el {day}?', 'horario a {place} por favor'],
      answers: ['El {day} el último ferry a {place} sale a las {time}. Venga 30 minutos antes.'],
    },
    {
      intent: 'booking-change',
      questions: ['Necesito cambiar mi reserva {number} al {day}.', 'cambiar {number} a {count} personas'],
      answers: ['La reserva {number} queda para el {day} a las {time}. Recibirá un correo.'],
    },
    {
      intent: 'refund',
      questions: ['Cancelaron mi viaje, ¿cómo me devuelven el dinero de {number}?', 'reembolso de {number}'],
      answers: ['El reembolso de {number} llega en {count} días laborables.'],
    },
    {
      intent: 'pets',
      questions: ['¿Puedo llevar a mi perro a {place}?', '¿hay camarote para {count} gatos?'],
      answers: ['Los perros con correa viajan gratis en cubierta.'],
    },
  ],
  strange: ['¿Cuál es el sentido de la vida?', 'quién ganó el partido anoche'],
  ignorance: ['Lo siento, no lo sé. ¿Quiere saber algo de nuestros ferries?'],
  thanks: ['¡Gracias!', 'muchas gracias, eso es todo'],
  farewells: ['De nada. ¡Buen viaje!'],
  personPlease: ['Quiero hablar con una persona', 'un agente por favor'],
  handingOver: ['Le paso con una compañera.'],
  stillThere: ['¿Sigue ahí?'],
  days: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
};
