ALTER INDEX "conversation_turns_user_words_idx" SET (gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX "conversation_turns_agent_words_idx" SET (gin_pending_list_limit = 256);
