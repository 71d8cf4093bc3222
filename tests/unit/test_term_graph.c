/* The dots of small graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term/ui/graph.h"

#include <math.h>

enum { LEFT = 0x47, RIGHT = 0xb8, BOTTOM_LEFT = 0x40, BOTTOM_RIGHT = 0x80 };

static void a_bar_is_as_high_as_its_share(void **state)
{
    struct graph graph;
    (void)state;
    graph_begin(&graph, 3, 2);
    assert_int_equal(graph_width(&graph), 6);
    graph_bar(&graph, 0, 0, 1);
    graph_bar(&graph, 1, 0, 0);
    graph_bar(&graph, 3, 0, 0.5F);
    graph_bar(&graph, 4, 0, NAN);
    graph_bar(&graph, 5, 0, 7); /* no higher than the graph */
    assert_int_equal(graph.cells[0][0], LEFT);
    assert_int_equal(graph.cells[1][0], LEFT | BOTTOM_RIGHT);
    assert_int_equal(graph.cells[0][1], BOTTOM_RIGHT);
    assert_int_equal(graph.cells[1][1], RIGHT);
    assert_int_equal(graph.cells[0][2], RIGHT);
    assert_int_equal(graph.cells[1][2], RIGHT);
}

static void a_line_joins_two_points(void **state)
{
    struct graph graph;
    (void)state;
    graph_begin(&graph, 2, 1);
    graph_line(&graph, 0, 0, 3, 1);
    assert_int_equal(graph.cells[0][0], 0x40 | 0x20);
    assert_int_equal(graph.cells[0][1], 0x02 | 0x08);
    graph_begin(&graph, 1, 1);
    graph_line(&graph, 0, NAN, 1, 1);
    assert_int_equal(graph.cells[0][0], 0);
}

static void a_graph_has_at_most_its_largest_size(void **state)
{
    struct graph graph;
    (void)state;
    graph_begin(&graph, 1000, 1000);
    assert_int_equal(graph.columns, GRAPH_COLUMNS);
    assert_int_equal(graph.rows, GRAPH_ROWS);
    graph_bar(&graph, 5000, 0, 1);
    graph_begin(&graph, -1, -1);
    graph_bar(&graph, 0, 0, 1);
    assert_int_equal(graph_width(&graph), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_is_as_high_as_its_share),
        cmocka_unit_test(a_line_joins_two_points),
        cmocka_unit_test(a_graph_has_at_most_its_largest_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
