CREATE TABLE "model_spending" (
	"project_id" text NOT NULL,
	"day" integer NOT NULL,
	"tokens" bigint NOT NULL,
	"cost" double precision NOT NULL,
	CONSTRAINT "model_spending_pkey" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
ALTER TABLE "model_spending" ADD CONSTRAINT "model_spending_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;