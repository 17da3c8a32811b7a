import type { Concurrency as RestConcurrency } from '@natter/sdk';
import type { GenericSchema, InferOutput } from 'valibot';
import type {
  auditView,
  detailsView,
  foundView,
  inboxView,
  peoplePartView,
  peopleView,
  repliesView,
  serviceLevelsView,
} from '../desk/index.ts';
import type { timelineSchema } from '../records/inspect/index.ts';
import type { overviewView } from '../records/overview/index.ts';
import type { consoleMeView, conversationListView } from './console-schemas.ts';
import type {
  articleAnswer,
  articleView,
  evaluationView,
  knowledgeView,
  trialView,
} from './knowledge/knowledge-schemas.ts';
import type {
  alertRuleListView,
  deliveryListView,
  deliveryView,
  endpointListView,
  receiverView,
} from './monitoring/alert-schemas.ts';
import type {
  connectorView,
  keyView,
  newSecretView,
  operationsView,
  retentionView,
} from './operations/operations-schemas.ts';

/** The response of a call, according to its schema. Read-only for the page. */
type Answer<View extends GenericSchema> = ReadonlyDeep<InferOutput<View>>;

type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
  : Value;

export type AlertRules = Answer<typeof alertRuleListView>;
export type Article = Answer<typeof articleView>;
export type ArticleAnswer = Answer<typeof articleAnswer>;
export type AuditPage = Answer<typeof auditView>;
export type Concurrency = Pick<RestConcurrency, 'intervals'>;
export type ConsoleConnector = Answer<typeof connectorView>;
export type ConsoleKey = Answer<typeof keyView>;
export type ConsoleMe = Answer<typeof consoleMeView>;
export type ConversationPage = Answer<typeof conversationListView>;
export type DeliveryDetail = Answer<typeof deliveryView>;
export type DeliveryPage = Answer<typeof deliveryListView>;
export type DeskDetails = Answer<typeof detailsView>;
export type DeskFound = Answer<typeof foundView>;
export type DeskInbox = Answer<typeof inboxView>;
export type DeskPeople = Answer<typeof peopleView>;
export type DeskReplies = Answer<typeof repliesView>;
export type Endpoints = Answer<typeof endpointListView>;
export type Evaluation = Answer<typeof evaluationView>;
export type Knowledge = Answer<typeof knowledgeView>;
export type Timeline = Answer<typeof timelineSchema>;
export type NewSecret = Answer<typeof newSecretView>;
export type Operations = Answer<typeof operationsView>;
export type Overview = Answer<typeof overviewView>;
export type PeoplePart = Answer<typeof peoplePartView>;
export type Receiver = Answer<typeof receiverView>;
export type Retention = Answer<typeof retentionView>;
export type ServiceLevels = Answer<typeof serviceLevelsView>;
export type Trial = Answer<typeof trialView>;
