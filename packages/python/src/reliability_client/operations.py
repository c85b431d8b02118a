"""A method for each operation. Written by generate.ts."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Union, cast

from .transport import Headers, Part, Transport, new_key

if TYPE_CHECKING:
    from . import types as t


class Operations(Transport):
    """Arguments: the parts of the path, then the body, or the query if there is no body."""

    def record_event(self, body: t.OutcomeEvent, *, query: Optional[t.RecordEventQuery] = None, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.EventRecorded:
        """Record an outcome."""
        return cast('t.EventRecorded', self._send('POST', '/api/v1/events', body=body, query=query, key=idempotency_key or new_key(), headers=headers))

    def record_events(self, body: t.EventBatch, *, query: Optional[t.RecordEventsQuery] = None, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.EventBatchRecorded:
        """Record up to 100 outcomes."""
        return cast('t.EventBatchRecorded', self._send('POST', '/api/v1/events/batch', body=body, query=query, key=idempotency_key or new_key(), headers=headers))

    def read_event(self, id: Part, *, headers: Headers = None) -> t.EventRecord:
        """Read one event."""
        return cast('t.EventRecord', self._send('GET', '/api/v1/events/{id}', (id,), headers=headers))

    def export_events(self, query: Optional[t.ExportEventsQuery] = None, *, headers: Headers = None) -> t.EventExportPage:
        """Read the platform's own events, oldest first."""
        return cast('t.EventExportPage', self._send('GET', '/api/v1/events/export', query=query, headers=headers))

    def export_events_each(self, query: Optional[t.ExportEventsQuery] = None, *, headers: Headers = None) -> Iterator[t.EventRecord]:
        """Every item, page after page."""
        return self._each('events', lambda more: self.export_events(more, headers=headers), query)

    def export_events_pages(self, query: Optional[t.ExportEventsQuery] = None, *, headers: Headers = None) -> Iterator[t.EventExportPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.export_events(more, headers=headers), query)

    def ingest_records(self, body: t.IngestRequest, *, query: Optional[t.RecordEventsQuery] = None, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Ingested:
        """Record up to 100 outcomes in your own shape."""
        return cast('t.Ingested', self._send('POST', '/api/v1/ingest', body=body, query=query, key=idempotency_key or new_key(), headers=headers))

    def list_mappings(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.SavedMappingPage:
        """List saved mappings."""
        return cast('t.SavedMappingPage', self._send('GET', '/api/v1/ingest/mappings', query=query, headers=headers))

    def list_mappings_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.SavedMapping]:
        """Every item, page after page."""
        return self._each('mappings', lambda more: self.list_mappings(more, headers=headers), query)

    def list_mappings_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.SavedMappingPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_mappings(more, headers=headers), query)

    def save_mapping(self, body: t.NewMapping, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.SavedMapping:
        """Save a mapping."""
        return cast('t.SavedMapping', self._send('POST', '/api/v1/ingest/mappings', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_mapping(self, id: Part, *, headers: Headers = None) -> t.SavedMapping:
        """Read a saved mapping."""
        return cast('t.SavedMapping', self._send('GET', '/api/v1/ingest/mappings/{id}', (id,), headers=headers))

    def delete_mapping(self, id: Part, *, headers: Headers = None) -> None:
        """Delete a saved mapping."""
        self._send('DELETE', '/api/v1/ingest/mappings/{id}', (id,), headers=headers)

    def list_imports(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> t.Imports:
        """List imports."""
        return cast('t.Imports', self._send('GET', '/api/v1/imports', query=query, headers=headers))

    def list_imports_each(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> Iterator[t.Import]:
        """Every item, page after page."""
        return self._each('imports', lambda more: self.list_imports(more, headers=headers), query)

    def list_imports_pages(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> Iterator[t.Imports]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_imports(more, headers=headers), query)

    def create_import(self, body: Union[t.NewImport, str, bytes], *, query: Optional[t.CreateImportQuery] = None, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Import:
        """Import a CSV."""
        return cast('t.Import', self._send('POST', '/api/v1/imports', body=body, query=query, key=idempotency_key or new_key(), headers=headers))

    def dry_run_import(self, body: Union[t.NewImport, str, bytes], *, query: Optional[t.DryRunImportQuery] = None, headers: Headers = None) -> t.ImportDryRun:
        """Try an import."""
        return cast('t.ImportDryRun', self._send('POST', '/api/v1/imports/dry-run', body=body, query=query, headers=headers))

    def detect_import(self, body: Union[t.UnknownFile, str, bytes], *, query: Optional[t.DetectImportQuery] = None, headers: Headers = None) -> t.ImportFormats:
        """Find out how a file is written."""
        return cast('t.ImportFormats', self._send('POST', '/api/v1/imports/detect', body=body, query=query, headers=headers))

    def read_import(self, id: Part, *, headers: Headers = None) -> t.Import:
        """Read an import."""
        return cast('t.Import', self._send('GET', '/api/v1/imports/{id}', (id,), headers=headers))

    def list_import_errors(self, id: Part, query: Optional[t.ListImportErrorsQuery] = None, *, headers: Headers = None) -> t.ImportIssues:
        """List errors and warnings of rows."""
        return cast('t.ImportIssues', self._send('GET', '/api/v1/imports/{id}/errors', (id,), query=query, headers=headers))

    def read_score(self, id: Part, *, headers: Headers = None) -> t.Score:
        """Read the score of a subject."""
        return cast('t.Score', self._send('GET', '/api/v1/users/{id}/score', (id,), headers=headers))

    def explain_score(self, id: Part, query: Optional[t.ExplainScoreQuery] = None, *, headers: Headers = None) -> t.ScoreExplanation:
        """Explain a score: factors and reason codes."""
        return cast('t.ScoreExplanation', self._send('GET', '/api/v1/users/{id}/score/explain', (id,), query=query, headers=headers))

    def read_score_components(self, id: Part, *, headers: Headers = None) -> t.ScoreComponents:
        """Read the six components of a score."""
        return cast('t.ScoreComponents', self._send('GET', '/api/v1/users/{id}/score/components', (id,), headers=headers))

    def list_score_history(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> t.ScoreHistory:
        """List the changes of a score, newest first."""
        return cast('t.ScoreHistory', self._send('GET', '/api/v1/users/{id}/score/history', (id,), query=query, headers=headers))

    def list_score_history_each(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.ScoreHistoryHistoryItem]:
        """Every item, page after page."""
        return self._each('history', lambda more: self.list_score_history(id, more, headers=headers), query)

    def list_score_history_pages(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.ScoreHistory]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_score_history(id, more, headers=headers), query)

    def read_score_course(self, id: Part, query: Optional[t.ReadScoreCourseQuery] = None, *, headers: Headers = None) -> t.ScoreCourse:
        """Read how a score developed over time."""
        return cast('t.ScoreCourse', self._send('GET', '/api/v1/users/{id}/score/course', (id,), query=query, headers=headers))

    def read_score_course_each(self, id: Part, query: Optional[t.ReadScoreCourseQuery] = None, *, headers: Headers = None) -> Iterator[t.ScoreCoursePoint]:
        """Every item, page after page."""
        return self._each('points', lambda more: self.read_score_course(id, more, headers=headers), query)

    def read_score_course_pages(self, id: Part, query: Optional[t.ReadScoreCourseQuery] = None, *, headers: Headers = None) -> Iterator[t.ScoreCourse]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.read_score_course(id, more, headers=headers), query)

    def explain_score_move(self, id: Part, query: Optional[t.ExplainScoreMoveQuery] = None, *, headers: Headers = None) -> t.ScoreMove:
        """Explain why a score moved, outcome by outcome."""
        return cast('t.ScoreMove', self._send('GET', '/api/v1/users/{id}/score/change', (id,), query=query, headers=headers))

    def suggest_for_score(self, id: Part, *, headers: Headers = None) -> t.ScoreSuggestions:
        """List what would raise a score."""
        return cast('t.ScoreSuggestions', self._send('GET', '/api/v1/users/{id}/score/suggestions', (id,), headers=headers))

    def explain_score_change(self, id: Part, *, headers: Headers = None) -> t.ScoreChange:
        """Explain the last change of a score."""
        return cast('t.ScoreChange', self._send('GET', '/api/v1/users/{id}/score/delta', (id,), headers=headers))

    def read_scores(self, body: t.ScoresRequest, *, headers: Headers = None) -> t.Scores:
        """Read up to 100 scores at once."""
        return cast('t.Scores', self._send('POST', '/api/v1/users/scores', body=body, headers=headers))

    def list_users(self, query: Optional[t.ListUsersQuery] = None, *, headers: Headers = None) -> t.BookPage:
        """List the platform's own subjects."""
        return cast('t.BookPage', self._send('GET', '/api/v1/users', query=query, headers=headers))

    def list_users_each(self, query: Optional[t.ListUsersQuery] = None, *, headers: Headers = None) -> Iterator[t.BookRow]:
        """Every item, page after page."""
        return self._each('users', lambda more: self.list_users(more, headers=headers), query)

    def list_users_pages(self, query: Optional[t.ListUsersQuery] = None, *, headers: Headers = None) -> Iterator[t.BookPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_users(more, headers=headers), query)

    def summarize_users(self, query: Optional[t.SummarizeUsersQuery] = None, *, headers: Headers = None) -> t.BookSummary:
        """Summarise the platform's own subjects."""
        return cast('t.BookSummary', self._send('GET', '/api/v1/users/summary', query=query, headers=headers))

    def admin_list_frozen_scores(self, *, headers: Headers = None) -> t.FrozenScores:
        """List the scores that the velocity guard holds."""
        return cast('t.FrozenScores', self._send('GET', '/api/v1/admin/frozen-scores', headers=headers))

    def admin_resolve_velocity_flag(self, id: Part, query: Optional[t.AdminResolveVelocityFlagQuery] = None, *, headers: Headers = None) -> t.VelocityResolved:
        """Clear the velocity flag of a subject and recompute its score."""
        return cast('t.VelocityResolved', self._send('POST', '/api/v1/admin/users/{id}/resolve-velocity-flag', (id,), query=query, headers=headers))

    def read_user(self, id: Part, *, headers: Headers = None) -> t.User:
        """Read who a subject is."""
        return cast('t.User', self._send('GET', '/api/v1/users/{id}', (id,), headers=headers))

    def update_user(self, id: Part, body: t.UserChanges, *, headers: Headers = None) -> t.User:
        """Set or remove the display name of a subject."""
        return cast('t.User', self._send('PATCH', '/api/v1/users/{id}', (id,), body=body, headers=headers))

    def register_agent(self, body: t.AgentDeclaration, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.AgentRegistered:
        """Register an agent, or change its declaration."""
        return cast('t.AgentRegistered', self._send('POST', '/api/v1/agents', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_agent(self, id: Part, *, headers: Headers = None) -> t.Agent:
        """Read an agent, its score and its deliveries."""
        return cast('t.Agent', self._send('GET', '/api/v1/agents/{id}', (id,), headers=headers))

    def register_business(self, body: t.BusinessDeclaration, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.BusinessRegistered:
        """Register a business, or change its declaration."""
        return cast('t.BusinessRegistered', self._send('POST', '/api/v1/businesses', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_business(self, id: Part, *, headers: Headers = None) -> t.Business:
        """Read a business and its score."""
        return cast('t.Business', self._send('GET', '/api/v1/businesses/{id}', (id,), headers=headers))

    def read_business_record(self, id: Part, *, headers: Headers = None) -> t.BusinessRecord:
        """Read the record of a business."""
        return cast('t.BusinessRecord', self._send('GET', '/api/v1/businesses/{id}/record', (id,), headers=headers))

    def create_link_token(self, id: Part, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.LinkToken:
        """Create a token that links a subject across platforms."""
        return cast('t.LinkToken', self._send('POST', '/api/v1/users/{id}/link-token', (id,), key=idempotency_key or new_key(), headers=headers))

    def link_user(self, id: Part, body: t.LinkRequest, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Linked:
        """Link a subject with the subject of a link token."""
        return cast('t.Linked', self._send('POST', '/api/v1/users/{id}/links', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def unlink_user(self, id: Part, *, headers: Headers = None) -> t.Unlinked:
        """Unlink a subject from its shared record."""
        return cast('t.Unlinked', self._send('DELETE', '/api/v1/users/{id}/links', (id,), headers=headers))

    def export_career(self, id: Part, query: Optional[t.ExportCareerQuery] = None, *, headers: Headers = None) -> t.CareerResume:
        """Export a person's career."""
        return cast('t.CareerResume', self._send('GET', '/api/v1/users/{id}/career-export', (id,), query=query, headers=headers))

    def import_career(self, id: Part, body: Dict[str, Any], *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.CareerImported:
        """Verify the file of a record, and take over its qualifications."""
        return cast('t.CareerImported', self._send('POST', '/api/v1/users/{id}/career-import', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def list_qualifications(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.QualificationPage:
        """List a subject's qualifications."""
        return cast('t.QualificationPage', self._send('GET', '/api/v1/users/{id}/qualifications', (id,), query=query, headers=headers))

    def list_qualifications_each(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.Qualification]:
        """Every item, page after page."""
        return self._each('qualifications', lambda more: self.list_qualifications(id, more, headers=headers), query)

    def list_qualifications_pages(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.QualificationPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_qualifications(id, more, headers=headers), query)

    def record_qualification(self, id: Part, body: t.NewQualification, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.QualificationRecorded:
        """Record a qualification."""
        return cast('t.QualificationRecorded', self._send('POST', '/api/v1/users/{id}/qualifications', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def list_projects(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.ProjectPage:
        """List a subject's projects."""
        return cast('t.ProjectPage', self._send('GET', '/api/v1/users/{id}/projects', (id,), query=query, headers=headers))

    def list_projects_each(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.Project]:
        """Every item, page after page."""
        return self._each('projects', lambda more: self.list_projects(id, more, headers=headers), query)

    def list_projects_pages(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.ProjectPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_projects(id, more, headers=headers), query)

    def add_project(self, id: Part, body: t.NewProject, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Project:
        """Add a link to own work."""
        return cast('t.Project', self._send('POST', '/api/v1/users/{id}/projects', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def delete_project(self, id: Part, projectId: Part, *, headers: Headers = None) -> None:
        """Delete a project."""
        self._send('DELETE', '/api/v1/users/{id}/projects/{projectId}', (id, projectId,), headers=headers)

    def read_verified_profile(self, id: Part, *, headers: Headers = None) -> t.VerifiedProfile:
        """Read the verified profile."""
        return cast('t.VerifiedProfile', self._send('GET', '/api/v1/users/{id}/verified-profile', (id,), headers=headers))

    def erase_user(self, id: Part, *, headers: Headers = None) -> t.Erasure:
        """Erase a subject permanently."""
        return cast('t.Erasure', self._send('POST', '/api/v1/users/{id}/erasure', (id,), headers=headers))

    def admin_erase_user(self, id: Part, userId: Part, *, headers: Headers = None) -> t.Erasure:
        """For a platform: erase a subject permanently."""
        return cast('t.Erasure', self._send('POST', '/api/v1/admin/platforms/{id}/users/{userId}/erasure', (id, userId,), headers=headers))

    def read_trust_summary(self, id: Part, query: Optional[t.ReadTrustSummaryQuery] = None, *, headers: Headers = None) -> t.TrustSummary:
        """Read a score in plain words."""
        return cast('t.TrustSummary', self._send('GET', '/api/v1/users/{id}/trust-summary', (id,), query=query, headers=headers))

    def read_reliability(self, id: Part, query: Optional[t.ReadReliabilityQuery] = None, *, headers: Headers = None) -> t.DispatchRead:
        """Read the figures for the next job, in under 1 KB."""
        return cast('t.DispatchRead', self._send('GET', '/api/v1/users/{id}/reliability', (id,), query=query, headers=headers))

    def list_timeline(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> t.Timeline:
        """List a subject's events and score changes, newest first."""
        return cast('t.Timeline', self._send('GET', '/api/v1/users/{id}/timeline', (id,), query=query, headers=headers))

    def list_timeline_each(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.TimelineItem]:
        """Every item, page after page."""
        return self._each('items', lambda more: self.list_timeline(id, more, headers=headers), query)

    def list_timeline_pages(self, id: Part, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.Timeline]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_timeline(id, more, headers=headers), query)

    def list_contributing_platforms(self, id: Part, *, headers: Headers = None) -> t.ContributingPlatforms:
        """List the platforms that contribute to a score."""
        return cast('t.ContributingPlatforms', self._send('GET', '/api/v1/users/{id}/platforms', (id,), headers=headers))

    def project_score(self, id: Part, body: t.ProjectionRequest, *, headers: Headers = None) -> t.ScoreProjection:
        """Project a score with hypothetical events."""
        return cast('t.ScoreProjection', self._send('POST', '/api/v1/users/{id}/score/project', (id,), body=body, headers=headers))

    def project_dispute(self, id: Part, *, headers: Headers = None) -> t.DisputeProjection:
        """Project the ends of a dispute."""
        return cast('t.DisputeProjection', self._send('GET', '/api/v1/disputes/{id}/projection', (id,), headers=headers))

    def analyze_documents(self, id: Part, body: t.DocumentClaims, *, headers: Headers = None) -> t.DocumentAnalysis:
        """Analyze the effect of documents, and who could confirm them."""
        return cast('t.DocumentAnalysis', self._send('POST', '/api/v1/users/{id}/documents/analyze', (id,), body=body, headers=headers))

    def read_risk(self, id: Part, *, headers: Headers = None) -> t.Risk:
        """Read signs that a record may be gamed."""
        return cast('t.Risk', self._send('GET', '/api/v1/users/{id}/risk', (id,), headers=headers))

    def read_benchmark(self, id: Part, query: Optional[t.ReadBenchmarkQuery] = None, *, headers: Headers = None) -> t.Benchmark:
        """Compare a score with similar subjects."""
        return cast('t.Benchmark', self._send('GET', '/api/v1/users/{id}/benchmark', (id,), query=query, headers=headers))

    def list_benchmarks(self, *, headers: Headers = None) -> t.BenchmarkCatalogue:
        """List the dimensions of benchmarks."""
        return cast('t.BenchmarkCatalogue', self._send('GET', '/api/v1/benchmarks', headers=headers))

    def read_event_analytics(self, query: Optional[t.ReadEventAnalyticsQuery] = None, *, headers: Headers = None) -> t.EventAnalytics:
        """Count events by day and type."""
        return cast('t.EventAnalytics', self._send('GET', '/api/v1/analytics/events', query=query, headers=headers))

    def read_score_analytics(self, query: Optional[t.ReadEventAnalyticsQuery] = None, *, headers: Headers = None) -> t.ScoreAnalytics:
        """Read the distribution of scores and their daily changes."""
        return cast('t.ScoreAnalytics', self._send('GET', '/api/v1/analytics/scores', query=query, headers=headers))

    def read_movers(self, query: Optional[t.ReadMoversQuery] = None, *, headers: Headers = None) -> t.Movers:
        """Find the scores that rose and fell most."""
        return cast('t.Movers', self._send('GET', '/api/v1/analytics/movers', query=query, headers=headers))

    def list_backtests(self, *, headers: Headers = None) -> t.Backtests:
        """List backtests, newest first."""
        return cast('t.Backtests', self._send('GET', '/api/v1/analytics/backtest', headers=headers))

    def create_backtest(self, body: Optional[t.NewBacktest] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.BacktestCreated:
        """Compare scores with the outcomes that followed."""
        return cast('t.BacktestCreated', self._send('POST', '/api/v1/analytics/backtest', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_backtest(self, id: Part, query: Optional[t.ReadBacktestQuery] = None, *, headers: Headers = None) -> t.Backtest:
        """Read a backtest and its report."""
        return cast('t.Backtest', self._send('GET', '/api/v1/analytics/backtest/{id}', (id,), query=query, headers=headers))

    def admin_list_backtests(self, *, headers: Headers = None) -> t.Backtests:
        """List the backtests over all platforms, newest first."""
        return cast('t.Backtests', self._send('GET', '/api/v1/admin/analytics/backtest', headers=headers))

    def admin_create_backtest(self, body: Optional[t.NewBacktest] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.BacktestCreated:
        """Compare the scores of all platforms with the outcomes that followed."""
        return cast('t.BacktestCreated', self._send('POST', '/api/v1/admin/analytics/backtest', body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_read_backtest(self, id: Part, query: Optional[t.ReadBacktestQuery] = None, *, headers: Headers = None) -> t.Backtest:
        """Read a backtest over all platforms."""
        return cast('t.Backtest', self._send('GET', '/api/v1/admin/analytics/backtest/{id}', (id,), query=query, headers=headers))

    def list_screenings(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> t.ScreeningPage:
        """List screenings."""
        return cast('t.ScreeningPage', self._send('GET', '/api/v1/screenings', query=query, headers=headers))

    def list_screenings_each(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> Iterator[t.Screening]:
        """Every item, page after page."""
        return self._each('screenings', lambda more: self.list_screenings(more, headers=headers), query)

    def list_screenings_pages(self, query: Optional[t.ListImportsQuery] = None, *, headers: Headers = None) -> Iterator[t.ScreeningPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_screenings(more, headers=headers), query)

    def create_screening(self, body: t.NewScreening, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Screening:
        """Look up the scores of many subjects."""
        return cast('t.Screening', self._send('POST', '/api/v1/screenings', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_screening(self, id: Part, *, headers: Headers = None) -> t.Screening:
        """Read the status of a screening."""
        return cast('t.Screening', self._send('GET', '/api/v1/screenings/{id}', (id,), headers=headers))

    def list_screening_results(self, id: Part, query: Optional[t.ListScreeningResultsQuery] = None, *, headers: Headers = None) -> t.ScreeningResults:
        """Read the results of a screening."""
        return cast('t.ScreeningResults', self._send('GET', '/api/v1/screenings/{id}/results', (id,), query=query, headers=headers))

    def list_screening_results_each(self, id: Part, query: Optional[t.ListScreeningResultsQuery] = None, *, headers: Headers = None) -> Iterator[t.ScreeningResultsResult]:
        """Every item, page after page."""
        return self._each('results', lambda more: self.list_screening_results(id, more, headers=headers), query)

    def list_screening_results_pages(self, id: Part, query: Optional[t.ListScreeningResultsQuery] = None, *, headers: Headers = None) -> Iterator[t.ScreeningResults]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_screening_results(id, more, headers=headers), query)

    def list_disputes(self, query: Optional[t.ListDisputesQuery] = None, *, headers: Headers = None) -> t.DisputePage:
        """List disputes."""
        return cast('t.DisputePage', self._send('GET', '/api/v1/disputes', query=query, headers=headers))

    def list_disputes_each(self, query: Optional[t.ListDisputesQuery] = None, *, headers: Headers = None) -> Iterator[t.Dispute]:
        """Every item, page after page."""
        return self._each('disputes', lambda more: self.list_disputes(more, headers=headers), query)

    def list_disputes_pages(self, query: Optional[t.ListDisputesQuery] = None, *, headers: Headers = None) -> Iterator[t.DisputePage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_disputes(more, headers=headers), query)

    def file_dispute(self, body: t.NewDispute, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Dispute:
        """Dispute an event."""
        return cast('t.Dispute', self._send('POST', '/api/v1/disputes', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_dispute(self, id: Part, *, headers: Headers = None) -> t.Dispute:
        """Read a dispute."""
        return cast('t.Dispute', self._send('GET', '/api/v1/disputes/{id}', (id,), headers=headers))

    def resolve_dispute_by_post(self, id: Part, *, headers: Headers = None) -> t.Dispute:
        """Resolve a dispute."""
        return cast('t.Dispute', self._send('POST', '/api/v1/disputes/{id}/resolve', (id,), headers=headers))

    def resolve_dispute(self, id: Part, *, headers: Headers = None) -> t.Dispute:
        """Resolve a dispute."""
        return cast('t.Dispute', self._send('PATCH', '/api/v1/disputes/{id}/resolve', (id,), headers=headers))

    def list_reviews(self, query: Optional[t.ListReviewsQuery] = None, *, headers: Headers = None) -> t.ReviewPage:
        """List reviews."""
        return cast('t.ReviewPage', self._send('GET', '/api/v1/reviews', query=query, headers=headers))

    def list_reviews_each(self, query: Optional[t.ListReviewsQuery] = None, *, headers: Headers = None) -> Iterator[t.Review]:
        """Every item, page after page."""
        return self._each('reviews', lambda more: self.list_reviews(more, headers=headers), query)

    def list_reviews_pages(self, query: Optional[t.ListReviewsQuery] = None, *, headers: Headers = None) -> Iterator[t.ReviewPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_reviews(more, headers=headers), query)

    def read_review(self, id: Part, *, headers: Headers = None) -> t.Review:
        """Read a review."""
        return cast('t.Review', self._send('GET', '/api/v1/reviews/{id}', (id,), headers=headers))

    def answer_review(self, id: Part, body: t.ReviewAnswer, *, headers: Headers = None) -> t.Review:
        """Answer a review."""
        return cast('t.Review', self._send('POST', '/api/v1/reviews/{id}/answer', (id,), body=body, headers=headers))

    def list_confirmations(self, query: Optional[t.ListConfirmationsQuery] = None, *, headers: Headers = None) -> t.ConfirmationPage:
        """List requests for confirmation."""
        return cast('t.ConfirmationPage', self._send('GET', '/api/v1/confirmations', query=query, headers=headers))

    def list_confirmations_each(self, query: Optional[t.ListConfirmationsQuery] = None, *, headers: Headers = None) -> Iterator[t.Confirmation]:
        """Every item, page after page."""
        return self._each('confirmations', lambda more: self.list_confirmations(more, headers=headers), query)

    def list_confirmations_pages(self, query: Optional[t.ListConfirmationsQuery] = None, *, headers: Headers = None) -> Iterator[t.ConfirmationPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_confirmations(more, headers=headers), query)

    def create_confirmation(self, body: t.ConfirmationRequest, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ConfirmationCreated:
        """Ask a counterparty to confirm an outcome."""
        return cast('t.ConfirmationCreated', self._send('POST', '/api/v1/confirmations', body=body, key=idempotency_key or new_key(), headers=headers))

    def create_confirmations(self, body: t.ConfirmationBatch, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ConfirmationBatchCreated:
        """Ask for up to 100 confirmations."""
        return cast('t.ConfirmationBatchCreated', self._send('POST', '/api/v1/confirmations/batch', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_confirmation(self, id: Part, *, headers: Headers = None) -> t.Confirmation:
        """Read a request for confirmation."""
        return cast('t.Confirmation', self._send('GET', '/api/v1/confirmations/{id}', (id,), headers=headers))

    def cancel_confirmation(self, id: Part, *, headers: Headers = None) -> t.Confirmation:
        """Cancel a request for confirmation."""
        return cast('t.Confirmation', self._send('POST', '/api/v1/confirmations/{id}/cancel', (id,), headers=headers))

    def preview_confirmation(self, id: Part, query: t.PreviewConfirmationQuery, *, headers: Headers = None) -> t.ConfirmationPreview:
        """Read what there is to confirm."""
        return cast('t.ConfirmationPreview', self._send('GET', '/api/v1/confirmations/{id}/preview', (id,), query=query, headers=headers))

    def respond_to_confirmation(self, id: Part, body: t.ConfirmationAnswer, *, query: Optional[t.RespondToConfirmationQuery] = None, headers: Headers = None) -> t.ConfirmationResponse:
        """Confirm or decline."""
        return cast('t.ConfirmationResponse', self._send('POST', '/api/v1/confirmations/{id}/respond', (id,), body=body, query=query, headers=headers))

    def list_campaigns(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.CampaignPage:
        """List campaigns with their counts by status."""
        return cast('t.CampaignPage', self._send('GET', '/api/v1/activation/campaigns', query=query, headers=headers))

    def list_campaigns_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.CampaignPageCampaign]:
        """Every item, page after page."""
        return self._each('campaigns', lambda more: self.list_campaigns(more, headers=headers), query)

    def list_campaigns_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.CampaignPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_campaigns(more, headers=headers), query)

    def start_campaign(self, body: t.NewCampaign, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.CampaignStarted:
        """Ask for the confirmation of up to 500 past outcomes."""
        return cast('t.CampaignStarted', self._send('POST', '/api/v1/activation/campaigns', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_campaign(self, id: Part, *, headers: Headers = None) -> t.CampaignFunnel:
        """Read the counts of a campaign by status."""
        return cast('t.CampaignFunnel', self._send('GET', '/api/v1/activation/campaigns/{id}', (id,), headers=headers))

    def list_references(self, query: Optional[t.ListReferencesQuery] = None, *, headers: Headers = None) -> t.ReferencePage:
        """List references."""
        return cast('t.ReferencePage', self._send('GET', '/api/v1/references', query=query, headers=headers))

    def list_references_each(self, query: Optional[t.ListReferencesQuery] = None, *, headers: Headers = None) -> Iterator[t.Reference]:
        """Every item, page after page."""
        return self._each('references', lambda more: self.list_references(more, headers=headers), query)

    def list_references_pages(self, query: Optional[t.ListReferencesQuery] = None, *, headers: Headers = None) -> Iterator[t.ReferencePage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_references(more, headers=headers), query)

    def create_reference(self, body: t.NewReference, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ReferenceCreated:
        """Ask a counterparty to confirm a qualification."""
        return cast('t.ReferenceCreated', self._send('POST', '/api/v1/references', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_reference(self, id: Part, *, headers: Headers = None) -> t.Reference:
        """Read a reference."""
        return cast('t.Reference', self._send('GET', '/api/v1/references/{id}', (id,), headers=headers))

    def cancel_reference(self, id: Part, *, headers: Headers = None) -> t.Reference:
        """Cancel a reference."""
        return cast('t.Reference', self._send('POST', '/api/v1/references/{id}/cancel', (id,), headers=headers))

    def preview_reference(self, id: Part, query: t.PreviewConfirmationQuery, *, headers: Headers = None) -> t.ReferencePreview:
        """Read what there is to confirm."""
        return cast('t.ReferencePreview', self._send('GET', '/api/v1/references/{id}/preview', (id,), query=query, headers=headers))

    def respond_to_reference(self, id: Part, body: t.ReferenceAnswer, *, query: Optional[t.RespondToConfirmationQuery] = None, headers: Headers = None) -> t.ReferenceAnswered:
        """Confirm or decline as the counterparty."""
        return cast('t.ReferenceAnswered', self._send('POST', '/api/v1/references/{id}/respond', (id,), body=body, query=query, headers=headers))

    def create_share_token(self, id: Part, body: Optional[t.ShareTokenRequest] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ShareToken:
        """Create the share token of a subject."""
        return cast('t.ShareToken', self._send('POST', '/api/v1/users/{id}/share-token', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def withdraw_share_token(self, id: Part, *, headers: Headers = None) -> t.ShareTokenWithdrawn:
        """Withdraw the share token of a subject."""
        return cast('t.ShareTokenWithdrawn', self._send('DELETE', '/api/v1/users/{id}/share-token', (id,), headers=headers))

    def admin_withdraw_share_token(self, id: Part, query: Optional[t.AdminResolveVelocityFlagQuery] = None, *, headers: Headers = None) -> t.ShareTokenWithdrawn:
        """Withdraw the share token of a subject."""
        return cast('t.ShareTokenWithdrawn', self._send('DELETE', '/api/v1/admin/users/{id}/share-token', (id,), query=query, headers=headers))

    def create_record_link(self, id: Part, body: Optional[t.RecordLinkRequest] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.RecordLink:
        """Create a link to a subject's own record."""
        return cast('t.RecordLink', self._send('POST', '/api/v1/users/{id}/record-links', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def withdraw_record_link(self, id: Part, recordLinkId: Part, *, headers: Headers = None) -> None:
        """Withdraw a link to a subject's own record."""
        self._send('DELETE', '/api/v1/users/{id}/record-links/{recordLinkId}', (id, recordLinkId,), headers=headers)

    def verify_share_token(self, token: Part, query: Optional[t.VerifyShareTokenQuery] = None, *, headers: Headers = None) -> t.SharedRecord:
        """Read the record behind a share token."""
        return cast('t.SharedRecord', self._send('GET', '/api/v1/verify/{token}', (token,), query=query, headers=headers))

    def verify_delivery_receipts(self, token: Part, query: Optional[t.VerifyDeliveryReceiptsQuery] = None, *, headers: Headers = None) -> t.DeliveryReceipts:
        """Read the deliveries behind a share token."""
        return cast('t.DeliveryReceipts', self._send('GET', '/api/v1/verify/{token}/delivery-receipts', (token,), query=query, headers=headers))

    def verify_business_record(self, token: Part, query: Optional[t.VerifyDeliveryReceiptsQuery] = None, *, headers: Headers = None) -> t.SharedBusinessRecord:
        """Read the business record behind a share token."""
        return cast('t.SharedBusinessRecord', self._send('GET', '/api/v1/verify/{token}/business-record', (token,), query=query, headers=headers))

    def read_did_document(self, *, headers: Headers = None) -> t.DidDocument:
        """Read the DID document of the issuer."""
        return cast('t.DidDocument', self._send('GET', '/.well-known/did.json', headers=headers))

    def read_earnings(self, id: Part, query: Optional[t.ReadEarningsQuery] = None, *, headers: Headers = None) -> t.Earnings:
        """Read attested earnings."""
        return cast('t.Earnings', self._send('GET', '/api/v1/users/{id}/earnings', (id,), query=query, headers=headers))

    def read_earnings_summary(self, id: Part, query: Optional[t.ReadEarningsQuery] = None, *, headers: Headers = None) -> t.EarningsSummary:
        """Read attested earnings in brief."""
        return cast('t.EarningsSummary', self._send('GET', '/api/v1/users/{id}/earnings/summary', (id,), query=query, headers=headers))

    def issue_earnings_credential(self, id: Part, query: Optional[t.IssueEarningsCredentialQuery] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.EarningsCredential:
        """Issue an earnings credential."""
        return cast('t.EarningsCredential', self._send('POST', '/api/v1/users/{id}/earnings/credential', (id,), query=query, key=idempotency_key or new_key(), headers=headers))

    def read_professional_record(self, id: Part, *, headers: Headers = None) -> t.ProfessionalRecord:
        """Read the professional record."""
        return cast('t.ProfessionalRecord', self._send('GET', '/api/v1/users/{id}/professional-record', (id,), headers=headers))

    def issue_professional_record_credential(self, id: Part, query: Optional[t.VerifyDeliveryReceiptsQuery] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ProfessionalRecordCredential:
        """Issue a professional record credential."""
        return cast('t.ProfessionalRecordCredential', self._send('POST', '/api/v1/users/{id}/professional-record/credential', (id,), query=query, key=idempotency_key or new_key(), headers=headers))

    def read_reliability_report(self, id: Part, query: Optional[t.ReadReliabilityReportQuery] = None, *, headers: Headers = None) -> t.ReliabilityReport:
        """Create a reliability report."""
        return cast('t.ReliabilityReport', self._send('GET', '/api/v1/users/{id}/reliability-report', (id,), query=query, headers=headers))

    def issue_open_badge(self, id: Part, query: Optional[t.IssueOpenBadgeQuery] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.OpenBadge:
        """Issue an Open Badge for the band of a subject."""
        return cast('t.OpenBadge', self._send('POST', '/api/v1/users/{id}/open-badges', (id,), query=query, key=idempotency_key or new_key(), headers=headers))

    def read_log_checkpoint(self, *, headers: Headers = None) -> str:
        """Read the signed head of the transparency log."""
        return cast('str', self._send('GET', '/log/checkpoint', headers=headers))

    def read_log_consistency(self, query: t.ReadLogConsistencyQuery, *, headers: Headers = None) -> t.LogConsistency:
        """Read the proof that one state of the log continues another."""
        return cast('t.LogConsistency', self._send('GET', '/log/consistency', query=query, headers=headers))

    def read_log_identity(self, *, headers: Headers = None) -> t.LogIdentity:
        """Read the name and the key of the transparency log."""
        return cast('t.LogIdentity', self._send('GET', '/.well-known/ledger-log.json', headers=headers))

    def read_group_log_checkpoint(self, log: Part, *, headers: Headers = None) -> str:
        """For a ledger group: read the signed head of the transparency log."""
        return cast('str', self._send('GET', '/log/{log}/checkpoint', (log,), headers=headers))

    def read_group_log_consistency(self, log: Part, query: t.ReadLogConsistencyQuery, *, headers: Headers = None) -> t.LogConsistency:
        """For a ledger group: read the proof that one state of the log continues another."""
        return cast('t.LogConsistency', self._send('GET', '/log/{log}/consistency', (log,), query=query, headers=headers))

    def read_receipt(self, id: Part, query: Optional[t.ReadReceiptQuery] = None, *, headers: Headers = None) -> t.LogReceipt:
        """Read the receipt of an event."""
        return cast('t.LogReceipt', self._send('GET', '/api/v1/events/{id}/receipt', (id,), query=query, headers=headers))

    def read_score_proof(self, id: Part, *, headers: Headers = None) -> t.ScoreProof:
        """Read the proof of a score."""
        return cast('t.ScoreProof', self._send('GET', '/api/v1/users/{id}/score/proof', (id,), headers=headers))

    def add_checkpoint(self, body: str, *, headers: Headers = None) -> str:
        """Have a checkpoint of another log cosigned."""
        return cast('str', self._send('POST', '/log/witness/add-checkpoint', body=body, text_type='text/plain', headers=headers))

    def read_witnessed_checkpoint(self, originHash: Part, *, headers: Headers = None) -> str:
        """Read the newest checkpoint that was cosigned for another log."""
        return cast('str', self._send('GET', '/log/witness/{originHash}/checkpoint', (originHash,), headers=headers))

    def create_credential_offer(self, id: Part, body: t.CredentialOfferRequest, *, query: Optional[t.IssueOpenBadgeQuery] = None, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.CredentialOffer:
        """Offer a credential to the wallet of a subject."""
        return cast('t.CredentialOffer', self._send('POST', '/api/v1/users/{id}/credential-offers', (id,), body=body, query=query, key=idempotency_key or new_key(), headers=headers))

    def read_credential_issuer_metadata(self, *, headers: Headers = None) -> t.WalletIssuerMetadata:
        """Read the credential issuer metadata."""
        return cast('t.WalletIssuerMetadata', self._send('GET', '/.well-known/openid-credential-issuer', headers=headers))

    def read_authorization_server_metadata(self, *, headers: Headers = None) -> t.WalletAuthorizationServer:
        """Read the authorization server metadata."""
        return cast('t.WalletAuthorizationServer', self._send('GET', '/.well-known/oauth-authorization-server', headers=headers))

    def admin_list_platforms(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.PlatformPage:
        """List the platforms of this installation."""
        return cast('t.PlatformPage', self._send('GET', '/api/v1/admin/platforms', query=query, headers=headers))

    def admin_list_platforms_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.PlatformRecord]:
        """Every item, page after page."""
        return self._each('platforms', lambda more: self.admin_list_platforms(more, headers=headers), query)

    def admin_list_platforms_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.PlatformPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_platforms(more, headers=headers), query)

    def admin_create_platform(self, body: t.NewPlatform, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.PlatformCreated:
        """Create a platform with its first keys."""
        return cast('t.PlatformCreated', self._send('POST', '/api/v1/admin/platforms', body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_read_platform(self, id: Part, *, headers: Headers = None) -> t.PlatformRecord:
        """Read a platform."""
        return cast('t.PlatformRecord', self._send('GET', '/api/v1/admin/platforms/{id}', (id,), headers=headers))

    def admin_update_platform(self, id: Part, body: t.PlatformChanges, *, headers: Headers = None) -> t.PlatformRecord:
        """Change a platform."""
        return cast('t.PlatformRecord', self._send('PATCH', '/api/v1/admin/platforms/{id}', (id,), body=body, headers=headers))

    def admin_list_keys(self, id: Part, *, headers: Headers = None) -> t.KeyList:
        """List a platform's keys."""
        return cast('t.KeyList', self._send('GET', '/api/v1/admin/platforms/{id}/keys', (id,), headers=headers))

    def admin_create_key(self, id: Part, body: Optional[t.NewKey] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.KeyMinted:
        """Mint a key for a platform."""
        return cast('t.KeyMinted', self._send('POST', '/api/v1/admin/platforms/{id}/keys', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_update_key(self, id: Part, keyId: Part, body: t.KeyScopes, *, headers: Headers = None) -> t.KeyRecord:
        """Change the scopes of a key."""
        return cast('t.KeyRecord', self._send('PATCH', '/api/v1/admin/platforms/{id}/keys/{keyId}', (id, keyId,), body=body, headers=headers))

    def admin_rotate_key(self, id: Part, keyId: Part, body: Optional[t.KeyRotation] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.KeyRotated:
        """Replace a key of a platform."""
        return cast('t.KeyRotated', self._send('POST', '/api/v1/admin/platforms/{id}/keys/{keyId}/rotate', (id, keyId,), body=body, key=idempotency_key or new_key(), headers=headers))

    def read_platform(self, *, headers: Headers = None) -> t.OwnPlatform:
        """Read the platform and the key in use."""
        return cast('t.OwnPlatform', self._send('GET', '/api/v1/platform', headers=headers))

    def update_settings(self, body: t.OwnPlatformChanges, *, headers: Headers = None) -> t.OwnPlatform:
        """Change settings of the platform."""
        return cast('t.OwnPlatform', self._send('PATCH', '/api/v1/platform', body=body, headers=headers))

    def list_keys(self, *, headers: Headers = None) -> t.KeyList:
        """List the platform's keys."""
        return cast('t.KeyList', self._send('GET', '/api/v1/platform/keys', headers=headers))

    def create_key(self, body: Optional[t.NewOwnKey] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.KeyMinted:
        """Mint a key."""
        return cast('t.KeyMinted', self._send('POST', '/api/v1/platform/keys', body=body, key=idempotency_key or new_key(), headers=headers))

    def rotate_key(self, keyId: Part, body: Optional[t.KeyRotation] = None, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.KeyRotated:
        """Replace a key."""
        return cast('t.KeyRotated', self._send('POST', '/api/v1/platform/keys/{keyId}/rotate', (keyId,), body=body, key=idempotency_key or new_key(), headers=headers))

    def revoke_key(self, keyId: Part, query: Optional[t.RevokeKeyQuery] = None, *, headers: Headers = None) -> t.KeyRevoked:
        """Revoke a key."""
        return cast('t.KeyRevoked', self._send('DELETE', '/api/v1/platform/keys/{keyId}', (keyId,), query=query, headers=headers))

    def read_usage(self, query: Optional[t.ReadUsageQuery] = None, *, headers: Headers = None) -> t.Usage:
        """Read usage by day and operation."""
        return cast('t.Usage', self._send('GET', '/api/v1/usage', query=query, headers=headers))

    def read_quota(self, *, headers: Headers = None) -> t.Quota:
        """Read the monthly quota."""
        return cast('t.Quota', self._send('GET', '/api/v1/usage/quota', headers=headers))

    def read_usage_meters(self, query: Optional[t.ReadUsageQuery] = None, *, headers: Headers = None) -> t.UsageMeters:
        """Read billed calls by status and operation."""
        return cast('t.UsageMeters', self._send('GET', '/api/v1/usage/meters', query=query, headers=headers))

    def admin_read_usage(self, id: Part, query: Optional[t.AdminReadUsageQuery] = None, *, headers: Headers = None) -> t.Usage:
        """Read a platform's usage by day and operation."""
        return cast('t.Usage', self._send('GET', '/api/v1/admin/platforms/{id}/usage', (id,), query=query, headers=headers))

    def list_activity(self, query: Optional[t.ListActivityQuery] = None, *, headers: Headers = None) -> t.ActivityPage:
        """Read the platform's audit trail, newest first."""
        return cast('t.ActivityPage', self._send('GET', '/api/v1/activity', query=query, headers=headers))

    def list_activity_each(self, query: Optional[t.ListActivityQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityEntry]:
        """Every item, page after page."""
        return self._each('activity', lambda more: self.list_activity(more, headers=headers), query)

    def list_activity_pages(self, query: Optional[t.ListActivityQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_activity(more, headers=headers), query)

    def admin_list_activity(self, id: Part, query: Optional[t.AdminListActivityQuery] = None, *, headers: Headers = None) -> t.ActivityPage:
        """Read a platform's audit trail, newest first."""
        return cast('t.ActivityPage', self._send('GET', '/api/v1/admin/platforms/{id}/activity', (id,), query=query, headers=headers))

    def admin_list_activity_each(self, id: Part, query: Optional[t.AdminListActivityQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityEntry]:
        """Every item, page after page."""
        return self._each('activity', lambda more: self.admin_list_activity(id, more, headers=headers), query)

    def admin_list_activity_pages(self, id: Part, query: Optional[t.AdminListActivityQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_activity(id, more, headers=headers), query)

    def admin_read_audit_log(self, id: Part, query: Optional[t.AdminReadAuditLogQuery] = None, *, headers: Headers = None) -> t.ActivityPage:
        """Read what happened to a subject, newest first."""
        return cast('t.ActivityPage', self._send('GET', '/api/v1/admin/users/{id}/audit-log', (id,), query=query, headers=headers))

    def admin_read_audit_log_each(self, id: Part, query: Optional[t.AdminReadAuditLogQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityEntry]:
        """Every item, page after page."""
        return self._each('activity', lambda more: self.admin_read_audit_log(id, more, headers=headers), query)

    def admin_read_audit_log_pages(self, id: Part, query: Optional[t.AdminReadAuditLogQuery] = None, *, headers: Headers = None) -> Iterator[t.ActivityPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_read_audit_log(id, more, headers=headers), query)

    def admin_list_audits(self, *, headers: Headers = None) -> t.Audits:
        """List the results of the ledger audit."""
        return cast('t.Audits', self._send('GET', '/api/v1/admin/audits', headers=headers))

    def admin_run_sweep(self, name: Part, *, headers: Headers = None) -> t.SweepDone:
        """Run a periodic sweep now."""
        return cast('t.SweepDone', self._send('POST', '/api/v1/admin/sweeps/{name}', (name,), headers=headers))

    def list_console_users(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.ConsoleUsers:
        """List who may sign in to the console."""
        return cast('t.ConsoleUsers', self._send('GET', '/api/v1/platform/users', query=query, headers=headers))

    def list_console_users_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.ConsoleUser]:
        """Every item, page after page."""
        return self._each('users', lambda more: self.list_console_users(more, headers=headers), query)

    def list_console_users_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.ConsoleUsers]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_console_users(more, headers=headers), query)

    def add_console_user(self, body: t.NewConsoleUser, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ConsoleUser:
        """Let somebody sign in to the console."""
        return cast('t.ConsoleUser', self._send('POST', '/api/v1/platform/users', body=body, key=idempotency_key or new_key(), headers=headers))

    def update_console_user(self, id: Part, body: t.ConsoleUserRole, *, headers: Headers = None) -> t.ConsoleUser:
        """Change the role of a console user."""
        return cast('t.ConsoleUser', self._send('PATCH', '/api/v1/platform/users/{id}', (id,), body=body, headers=headers))

    def remove_console_user(self, id: Part, *, headers: Headers = None) -> None:
        """Remove a console user."""
        self._send('DELETE', '/api/v1/platform/users/{id}', (id,), headers=headers)

    def admin_list_console_users(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.ConsoleUsers:
        """List who may sign in as the operator."""
        return cast('t.ConsoleUsers', self._send('GET', '/api/v1/admin/users', query=query, headers=headers))

    def admin_list_console_users_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.ConsoleUser]:
        """Every item, page after page."""
        return self._each('users', lambda more: self.admin_list_console_users(more, headers=headers), query)

    def admin_list_console_users_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.ConsoleUsers]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_console_users(more, headers=headers), query)

    def admin_add_console_user(self, body: t.NewConsoleUser, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.ConsoleUser:
        """Let somebody sign in as the operator."""
        return cast('t.ConsoleUser', self._send('POST', '/api/v1/admin/users', body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_update_console_user(self, userId: Part, body: t.ConsoleUserRole, *, headers: Headers = None) -> t.ConsoleUser:
        """Change the role of a user of the operator."""
        return cast('t.ConsoleUser', self._send('PATCH', '/api/v1/admin/users/{userId}', (userId,), body=body, headers=headers))

    def admin_remove_console_user(self, userId: Part, *, headers: Headers = None) -> None:
        """Remove a user of the operator."""
        self._send('DELETE', '/api/v1/admin/users/{userId}', (userId,), headers=headers)

    def list_webhook_events(self, *, headers: Headers = None) -> t.WebhookEventCatalogue:
        """List the event types."""
        return cast('t.WebhookEventCatalogue', self._send('GET', '/api/v1/webhooks/events', headers=headers))

    def list_webhooks(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.WebhookPage:
        """List the endpoints."""
        return cast('t.WebhookPage', self._send('GET', '/api/v1/webhooks', query=query, headers=headers))

    def list_webhooks_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.Webhook]:
        """Every item, page after page."""
        return self._each('webhooks', lambda more: self.list_webhooks(more, headers=headers), query)

    def list_webhooks_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_webhooks(more, headers=headers), query)

    def create_webhook(self, body: t.NewWebhook, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.WebhookCreated:
        """Add an endpoint."""
        return cast('t.WebhookCreated', self._send('POST', '/api/v1/webhooks', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_webhook(self, id: Part, *, headers: Headers = None) -> t.Webhook:
        """Read an endpoint."""
        return cast('t.Webhook', self._send('GET', '/api/v1/webhooks/{id}', (id,), headers=headers))

    def update_webhook(self, id: Part, body: t.WebhookChanges, *, headers: Headers = None) -> t.Webhook:
        """Change an endpoint."""
        return cast('t.Webhook', self._send('PATCH', '/api/v1/webhooks/{id}', (id,), body=body, headers=headers))

    def delete_webhook(self, id: Part, *, headers: Headers = None) -> None:
        """Delete an endpoint."""
        self._send('DELETE', '/api/v1/webhooks/{id}', (id,), headers=headers)

    def rotate_webhook_secret(self, id: Part, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.WebhookSecretRotated:
        """Replace the signing secret."""
        return cast('t.WebhookSecretRotated', self._send('POST', '/api/v1/webhooks/{id}/rotate-secret', (id,), key=idempotency_key or new_key(), headers=headers))

    def test_webhook(self, id: Part, body: Optional[t.WebhookTest] = None, *, headers: Headers = None) -> t.WebhookDelivery:
        """Send a test delivery."""
        return cast('t.WebhookDelivery', self._send('POST', '/api/v1/webhooks/{id}/test', (id,), body=body, headers=headers))

    def recover_deliveries(self, id: Part, body: t.WebhookRecovery, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.WebhookRecovered:
        """Re-queue missed deliveries."""
        return cast('t.WebhookRecovered', self._send('POST', '/api/v1/webhooks/{id}/recover', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def list_deliveries(self, id: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> t.WebhookDeliveryPage:
        """List the delivery log."""
        return cast('t.WebhookDeliveryPage', self._send('GET', '/api/v1/webhooks/{id}/deliveries', (id,), query=query, headers=headers))

    def list_deliveries_each(self, id: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookDelivery]:
        """Every item, page after page."""
        return self._each('deliveries', lambda more: self.list_deliveries(id, more, headers=headers), query)

    def list_deliveries_pages(self, id: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookDeliveryPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_deliveries(id, more, headers=headers), query)

    def read_delivery(self, id: Part, deliveryId: Part, *, headers: Headers = None) -> t.WebhookDelivery:
        """Read an attempt."""
        return cast('t.WebhookDelivery', self._send('GET', '/api/v1/webhooks/{id}/deliveries/{deliveryId}', (id, deliveryId,), headers=headers))

    def count_attempts(self, query: Optional[t.CountAttemptsQuery] = None, *, headers: Headers = None) -> t.WebhookAttemptHours:
        """Count attempts by hour."""
        return cast('t.WebhookAttemptHours', self._send('GET', '/api/v1/webhooks/attempts', query=query, headers=headers))

    def read_delivery_request(self, id: Part, deliveryId: Part, *, headers: Headers = None) -> t.WebhookDeliveryRequest:
        """Read the request of an attempt."""
        return cast('t.WebhookDeliveryRequest', self._send('GET', '/api/v1/webhooks/{id}/deliveries/{deliveryId}/request', (id, deliveryId,), headers=headers))

    def replay_delivery(self, id: Part, deliveryId: Part, *, headers: Headers = None) -> t.WebhookDelivery:
        """Send a delivery again."""
        return cast('t.WebhookDelivery', self._send('POST', '/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay', (id, deliveryId,), headers=headers))

    def admin_list_webhooks(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.WebhookPage:
        """For a platform: list the endpoints."""
        return cast('t.WebhookPage', self._send('GET', '/api/v1/admin/platforms/{id}/webhooks', (id,), query=query, headers=headers))

    def admin_list_webhooks_each(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.Webhook]:
        """Every item, page after page."""
        return self._each('webhooks', lambda more: self.admin_list_webhooks(id, more, headers=headers), query)

    def admin_list_webhooks_pages(self, id: Part, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_webhooks(id, more, headers=headers), query)

    def admin_create_webhook(self, id: Part, body: t.NewWebhook, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.WebhookCreated:
        """For a platform: add an endpoint."""
        return cast('t.WebhookCreated', self._send('POST', '/api/v1/admin/platforms/{id}/webhooks', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_update_webhook(self, id: Part, webhookId: Part, body: t.WebhookChanges, *, headers: Headers = None) -> t.Webhook:
        """For a platform: change an endpoint."""
        return cast('t.Webhook', self._send('PATCH', '/api/v1/admin/platforms/{id}/webhooks/{webhookId}', (id, webhookId,), body=body, headers=headers))

    def admin_delete_webhook(self, id: Part, webhookId: Part, *, headers: Headers = None) -> None:
        """For a platform: delete an endpoint."""
        self._send('DELETE', '/api/v1/admin/platforms/{id}/webhooks/{webhookId}', (id, webhookId,), headers=headers)

    def admin_test_webhook(self, id: Part, webhookId: Part, body: Optional[t.WebhookTest] = None, *, headers: Headers = None) -> t.WebhookDelivery:
        """For a platform: send a test delivery."""
        return cast('t.WebhookDelivery', self._send('POST', '/api/v1/admin/platforms/{id}/webhooks/{webhookId}/test', (id, webhookId,), body=body, headers=headers))

    def admin_list_deliveries(self, id: Part, webhookId: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> t.WebhookDeliveryPage:
        """For a platform: list the delivery log."""
        return cast('t.WebhookDeliveryPage', self._send('GET', '/api/v1/admin/platforms/{id}/webhooks/{webhookId}/deliveries', (id, webhookId,), query=query, headers=headers))

    def admin_list_deliveries_each(self, id: Part, webhookId: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookDelivery]:
        """Every item, page after page."""
        return self._each('deliveries', lambda more: self.admin_list_deliveries(id, webhookId, more, headers=headers), query)

    def admin_list_deliveries_pages(self, id: Part, webhookId: Part, query: Optional[t.ListDeliveriesQuery] = None, *, headers: Headers = None) -> Iterator[t.WebhookDeliveryPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_deliveries(id, webhookId, more, headers=headers), query)

    def admin_replay_delivery(self, id: Part, webhookId: Part, deliveryId: Part, *, headers: Headers = None) -> t.WebhookDelivery:
        """For a platform: send a delivery again."""
        return cast('t.WebhookDelivery', self._send('POST', '/api/v1/admin/platforms/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/replay', (id, webhookId, deliveryId,), headers=headers))

    def list_monitors(self, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> t.MonitorPage:
        """List monitors."""
        return cast('t.MonitorPage', self._send('GET', '/api/v1/monitors', query=query, headers=headers))

    def list_monitors_each(self, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> Iterator[t.Monitor]:
        """Every item, page after page."""
        return self._each('monitors', lambda more: self.list_monitors(more, headers=headers), query)

    def list_monitors_pages(self, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> Iterator[t.MonitorPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_monitors(more, headers=headers), query)

    def create_monitor(self, body: t.NewMonitor, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Monitor:
        """Watch a score."""
        return cast('t.Monitor', self._send('POST', '/api/v1/monitors', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_monitor(self, id: Part, *, headers: Headers = None) -> t.Monitor:
        """Read a monitor."""
        return cast('t.Monitor', self._send('GET', '/api/v1/monitors/{id}', (id,), headers=headers))

    def update_monitor(self, id: Part, body: t.MonitorChanges, *, headers: Headers = None) -> t.Monitor:
        """Change, enable or disable a monitor."""
        return cast('t.Monitor', self._send('PATCH', '/api/v1/monitors/{id}', (id,), body=body, headers=headers))

    def delete_monitor(self, id: Part, *, headers: Headers = None) -> None:
        """Delete a monitor."""
        self._send('DELETE', '/api/v1/monitors/{id}', (id,), headers=headers)

    def admin_list_monitors(self, id: Part, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> t.MonitorPage:
        """For a platform: list monitors."""
        return cast('t.MonitorPage', self._send('GET', '/api/v1/admin/platforms/{id}/monitors', (id,), query=query, headers=headers))

    def admin_list_monitors_each(self, id: Part, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> Iterator[t.Monitor]:
        """Every item, page after page."""
        return self._each('monitors', lambda more: self.admin_list_monitors(id, more, headers=headers), query)

    def admin_list_monitors_pages(self, id: Part, query: Optional[t.ListMonitorsQuery] = None, *, headers: Headers = None) -> Iterator[t.MonitorPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.admin_list_monitors(id, more, headers=headers), query)

    def admin_create_monitor(self, id: Part, body: t.NewMonitor, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Monitor:
        """For a platform: watch a score."""
        return cast('t.Monitor', self._send('POST', '/api/v1/admin/platforms/{id}/monitors', (id,), body=body, key=idempotency_key or new_key(), headers=headers))

    def admin_read_monitor(self, id: Part, monitorId: Part, *, headers: Headers = None) -> t.Monitor:
        """For a platform: read a monitor."""
        return cast('t.Monitor', self._send('GET', '/api/v1/admin/platforms/{id}/monitors/{monitorId}', (id, monitorId,), headers=headers))

    def admin_update_monitor(self, id: Part, monitorId: Part, body: t.MonitorChanges, *, headers: Headers = None) -> t.Monitor:
        """For a platform: change, enable or disable a monitor."""
        return cast('t.Monitor', self._send('PATCH', '/api/v1/admin/platforms/{id}/monitors/{monitorId}', (id, monitorId,), body=body, headers=headers))

    def admin_delete_monitor(self, id: Part, monitorId: Part, *, headers: Headers = None) -> None:
        """For a platform: delete a monitor."""
        self._send('DELETE', '/api/v1/admin/platforms/{id}/monitors/{monitorId}', (id, monitorId,), headers=headers)

    def list_policies(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> t.PolicyPage:
        """List policies."""
        return cast('t.PolicyPage', self._send('GET', '/api/v1/policies', query=query, headers=headers))

    def list_policies_each(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.Policy]:
        """Every item, page after page."""
        return self._each('policies', lambda more: self.list_policies(more, headers=headers), query)

    def list_policies_pages(self, query: Optional[t.ListMappingsQuery] = None, *, headers: Headers = None) -> Iterator[t.PolicyPage]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_policies(more, headers=headers), query)

    def create_policy(self, body: t.NewPolicy, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.Policy:
        """Create a policy."""
        return cast('t.Policy', self._send('POST', '/api/v1/policies', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_policy(self, id: Part, *, headers: Headers = None) -> t.Policy:
        """Read a policy."""
        return cast('t.Policy', self._send('GET', '/api/v1/policies/{id}', (id,), headers=headers))

    def update_policy(self, id: Part, body: t.PolicyChanges, *, headers: Headers = None) -> t.Policy:
        """Change, enable or disable a policy."""
        return cast('t.Policy', self._send('PATCH', '/api/v1/policies/{id}', (id,), body=body, headers=headers))

    def delete_policy(self, id: Part, *, headers: Headers = None) -> None:
        """Delete a policy."""
        self._send('DELETE', '/api/v1/policies/{id}', (id,), headers=headers)

    def preview_policy(self, body: t.PolicyPreviewRequest, *, headers: Headers = None) -> t.PolicyPreview:
        """Try a condition on the history."""
        return cast('t.PolicyPreview', self._send('POST', '/api/v1/policies/preview', body=body, headers=headers))

    def list_notification_channels(self, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> t.NotificationChannels:
        """List notification channels."""
        return cast('t.NotificationChannels', self._send('GET', '/api/v1/notification-channels', query=query, headers=headers))

    def list_notification_channels_each(self, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.NotificationChannel]:
        """Every item, page after page."""
        return self._each('notificationChannels', lambda more: self.list_notification_channels(more, headers=headers), query)

    def list_notification_channels_pages(self, query: Optional[t.ListScoreHistoryQuery] = None, *, headers: Headers = None) -> Iterator[t.NotificationChannels]:
        """The pages, one after the other."""
        return self._pages(lambda more: self.list_notification_channels(more, headers=headers), query)

    def create_notification_channel(self, body: t.NewNotificationChannel, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.NotificationChannel:
        """Add a notification channel."""
        return cast('t.NotificationChannel', self._send('POST', '/api/v1/notification-channels', body=body, key=idempotency_key or new_key(), headers=headers))

    def read_notification_channel(self, id: Part, *, headers: Headers = None) -> t.NotificationChannel:
        """Read a notification channel."""
        return cast('t.NotificationChannel', self._send('GET', '/api/v1/notification-channels/{id}', (id,), headers=headers))

    def delete_notification_channel(self, id: Part, *, headers: Headers = None) -> None:
        """Delete a notification channel."""
        self._send('DELETE', '/api/v1/notification-channels/{id}', (id,), headers=headers)

    def list_message_signing_keys(self, *, headers: Headers = None) -> t.KeyDirectory:
        """List the keys that sign deliveries."""
        return cast('t.KeyDirectory', self._send('GET', '/.well-known/http-message-signatures-directory', headers=headers))

    def seed_test_data(self, *, idempotency_key: Optional[str] = None, headers: Headers = None) -> t.SandboxSeeded:
        """Add five synthetic subjects to test mode."""
        return cast('t.SandboxSeeded', self._send('POST', '/api/v1/test/seed', key=idempotency_key or new_key(), headers=headers))

    def delete_test_data(self, *, headers: Headers = None) -> t.SandboxReset:
        """Delete all test data of the platform."""
        return cast('t.SandboxReset', self._send('DELETE', '/api/v1/test/data', headers=headers))

    def read_scoring_model(self, *, headers: Headers = None) -> t.ScoringModel:
        """Read the scoring model as data."""
        return cast('t.ScoringModel', self._send('GET', '/api/v1/scoring/model', headers=headers))

    def list_reason_codes(self, *, headers: Headers = None) -> t.ReasonCodes:
        """List the reason codes."""
        return cast('t.ReasonCodes', self._send('GET', '/api/v1/reason-codes', headers=headers))

    def list_enums(self, *, headers: Headers = None) -> t.Enums:
        """List every closed set of values."""
        return cast('t.Enums', self._send('GET', '/api/v1/enums', headers=headers))

    def list_errors(self, *, headers: Headers = None) -> t.ErrorCatalogue:
        """List the error codes."""
        return cast('t.ErrorCatalogue', self._send('GET', '/api/v1/errors', headers=headers))

    def read_changelog(self, *, headers: Headers = None) -> t.Changelog:
        """Read the changelog."""
        return cast('t.Changelog', self._send('GET', '/api/v1/changelog', headers=headers))

    def list_plans(self, *, headers: Headers = None) -> t.PlanCatalogue:
        """List the plans and their limits."""
        return cast('t.PlanCatalogue', self._send('GET', '/api/v1/plans', headers=headers))

    def list_outcome_templates(self, query: Optional[t.ListOutcomeTemplatesQuery] = None, *, headers: Headers = None) -> t.OutcomeTemplates:
        """List outcome templates by industry."""
        return cast('t.OutcomeTemplates', self._send('GET', '/api/v1/outcome-templates', query=query, headers=headers))

    def read_health(self, *, headers: Headers = None) -> t.Alive:
        """Check that the process is alive."""
        return cast('t.Alive', self._send('GET', '/api/v1/health', headers=headers))

    def read_readiness(self, *, headers: Headers = None) -> t.Ready:
        """Check that the service is ready."""
        return cast('t.Ready', self._send('GET', '/api/v1/health/ready', headers=headers))

    def read_status(self, *, headers: Headers = None) -> t.Status:
        """Read the status of the service."""
        return cast('t.Status', self._send('GET', '/api/v1/status.json', headers=headers))

    def read_api_description(self, *, headers: Headers = None) -> t.OpenApiDocument:
        """Read the OpenAPI document."""
        return cast('t.OpenApiDocument', self._send('GET', '/api/v1/openapi.json', headers=headers))

    def read_security_contact(self, *, headers: Headers = None) -> str:
        """Read where to report a vulnerability."""
        return cast('str', self._send('GET', '/.well-known/security.txt', headers=headers))
