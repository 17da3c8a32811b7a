import type { AgentTool } from '@natter/platform';
import { bookingsTool } from './bookings/bookings-tool.ts';
import { faresTool } from './fares/fares-tool.ts';
import { sailingsTool } from './timetable/sailings-tool.ts';

/** The tools of Kittiwake's agent: the module that its setting `tools` names. */
export const tools: readonly AgentTool[] = [sailingsTool, faresTool, bookingsTool];
