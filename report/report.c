/* Reports: runs of training as one page. */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "report/storage.h"

enum { TITLE_SIZE = 160 };

nlm_status nlm_report_new(nlm_report **report, nlm_error *error)
{
    REQUIRE(report, error);
    *report = storage_new(1, sizeof **report);
    if (!*report)
        return report_no_memory(error);
    const nlm_status status = nlm_found_new(remarks_take, &(*report)->noted, &(*report)->runs, error);
    if (status) {
        free(*report);
        *report = NULL;
    }
    return status;
}

void nlm_report_free(nlm_report *report)
{
    if (!report)
        return;
    nlm_found_free(report->runs);
    remarks_release(&report->noted);
    nlm_gallery_free(report->gallery);
    free(report->facts);
    free(report);
}

nlm_status nlm_report_add(nlm_report *report, const char *path, nlm_error *error)
{
    REQUIRE(report && path, error);
    return nlm_found_add(report->runs, path, error);
}

nlm_status nlm_report_add_facts(nlm_report *report, const char *path, nlm_error *error)
{
    REQUIRE(report && path, error);
    struct stat about;
    if (report->facts)
        return report_fail(error, NLM_BAD_ARGUMENT, "%.200s: facts can be given once", path);
    if (stat(path, &about) != 0)
        return report_fail(error, NLM_IO_ERROR, "%.200s: %s", path, strerror(errno));
    report->facts = storage_copy(path);
    return report->facts ? NLM_OK : report_no_memory(error);
}

nlm_status nlm_report_add_images(nlm_report *report, const char *folder, bool for_all, nlm_error *error)
{
    REQUIRE(report, error);
    if (report->images)
        return report_fail(error, NLM_BAD_ARGUMENT, "images can be given once");
    const nlm_status status = folder ? nlm_gallery_read(folder, &report->gallery, error) : NLM_OK;
    report->images = status == NLM_OK;
    report->for_all = for_all;
    return status;
}

bool nlm_report_needs_images(const nlm_report *report)
{
    for (int i = 0; i < nlm_found_count(report->runs) && !report->images; i++) {
        const nlm_found_run *run = nlm_found_at(report->runs, i);
        if ((run->model || run->checkpoint) && run->task && run->task->sense && !run->drawn)
            return true;
    }
    return false;
}

int nlm_report_notes(const nlm_report *report)
{
    return report->noted.count;
}

const char *nlm_report_note(const nlm_report *report, int index)
{
    return remarks_at(&report->noted, index);
}

int nlm_report_runs(const nlm_report *report)
{
    return nlm_found_count(report->runs);
}

int nlm_report_tasks(const nlm_report *report)
{
    const nlm_found_runs *list = report->runs;
    int count = 0;
    for (int i = 0; i < nlm_found_count(list); i++) {
        int before = 0;
        while (before < i && !nlm_found_same_task(nlm_found_at(list, before), nlm_found_at(list, i)))
            before++;
        count += before == i;
    }
    return count;
}

/* ---- the page ---- */

static void put_notes(page *p, const remarks *noted)
{
    if (noted->count == 0)
        return;
    page_put(p, "<section id=\"notes\">\n<h2>Notes</h2>\n<ul>\n");
    for (int i = 0; i < noted->count; i++) {
        page_wrap(p, "<li>", remarks_at(noted, i), "</li>\n");
    }
    if (noted->left_out > 0)
        page_print(p, "<li>and %d more</li>\n", noted->left_out);
    page_put(p, "</ul>\n</section>\n");
}

static const char legend[] =
    "<p class=\"dim\" id=\"legend\">Curves: a thin line is a run, the thick line is the median of the runs. "
    "The "
    "area around it reaches from the lowest to the highest run or, with more than five runs, from the lower "
    "to "
    "the upper quartile. A run that has ended keeps its last value. \xe2\x96\xb2 marks a restart with new "
    "weights.</p>\n";

static nlm_status put_all(page *p, nlm_report *report, nlm_error *error)
{
    static const asset *const scripts[] = {&asset_report, &asset_pictures, &asset_replay, NULL};
    const nlm_found_runs *list = report->runs;
    char title[TITLE_SIZE];
    if (nlm_report_tasks(report) == 1)
        snprintf(title, sizeof title, "%.100s", nlm_found_at(list, 0)->title);
    else
        snprintf(title, sizeof title, "%d runs of %d tasks", nlm_found_count(list), nlm_report_tasks(report));
    page_begin(p, title, scripts);
    if (summary_put(p, report))
        return report_no_memory(error);
    bool curves = false;
    for (int i = 0; i < nlm_found_count(list); i++)
        curves |= nlm_found_at(list, i)->log.count > 0;
    if (curves)
        page_put(p, legend);
    nlm_status status = NLM_OK;
    for (int first = 0, end; first < nlm_found_count(list) && !status; first = end) {
        end = nlm_found_group_end(list, first);
        status = section_put(p, report, first, end, error);
    }
    run_table_put(p, list);
    put_notes(p, &report->noted);
    page_end(p);
    return status;
}

nlm_status nlm_report_save(nlm_report *report, const char *path, nlm_error *error)
{
    REQUIRE(report && path, error);
    page made = {0};
    if (nlm_found_count(report->runs) == 0)
        return report_fail(error, NLM_BAD_ARGUMENT, "a report needs a run");
    nlm_found_sort(report->runs);
    report->figures = 0;
    nlm_status status = put_all(&made, report, error);
    if (!status)
        status = page_save(&made, path, error);
    page_release(&made);
    return status;
}
