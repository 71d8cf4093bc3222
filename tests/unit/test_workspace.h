/* The workspace of the rooms of one test program. Groups of tests make and end it. */
#ifndef TEST_WORKSPACE_H
#define TEST_WORKSPACE_H

#include "room/workspace.h"

static struct room_workspace *workspace;

static int make_workspace(void **state)
{
    (void)state;
    workspace = room_workspace_create(1);
    return workspace != NULL ? 0 : -1;
}

static int end_workspace(void **state)
{
    (void)state;
    room_workspace_destroy(workspace);
    return 0;
}

#endif
