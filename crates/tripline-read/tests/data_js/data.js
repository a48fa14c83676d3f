window.BENCHMARK_DATA = {
  "lastUpdate": 1600000300000,
  "repoUrl": "https://github.com/acme/demo",
  "entries": {
    "Rust Benchmark": [
      {
        "commit": {
          "author": { "email": "ada@example.org", "name": "Ada", "username": "ada" },
          "committer": { "email": "ada@example.org", "name": "Ada", "username": "ada" },
          "distinct": true,
          "id": "1111111111111111111111111111111111111111",
          "message": "first: a line, thanks bob@example.org\n\nand another\nCo-authored-by: Bob <bob@example.org>",
          "timestamp": "2020-09-13T14:00:00+02:00",
          "tree_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "url": "https://github.com/acme/demo/commit/1111111111111111111111111111111111111111"
        },
        "date": 1600000000000,
        "tool": "cargo",
        "benches": [
          { "name": "fib_20", "value": 18149, "range": "± 755", "unit": "ns/iter" },
          { "name": "fib_10", "value": 135.5, "range": "± 24", "unit": "ns/iter" },
          { "name": "größe {1}", "value": 1.005, "unit": "ms" }
        ]
      },
      {
        "commit": { "id": "3333333333333333333333333333333333333333", "timestamp": "2020-09-12T00:00:00Z", "message": null },
        "date": "2020-09-13T12:30:00Z",
        "tool": "customSmallerIsBetter",
        "benches": [
          { "name": "fib_20", "value": "18,200", "range": "± 5", "unit": "ns/iter" },
          { "name": "fib_10", "value": null, "unit": "ns/iter" },
          { "name": "fib_10", "value": 1200, "unit": "instructions", "extra": "by callgrind" },
          { "name": "fib_10", "value": 1300, "unit": "instructions" },
          { "name": "delta", "value": -3.25, "unit": "" },
          { "value": 7 },
          "what is this",
          { "name": "bell\u0007", "value": "n/a", "unit": "s" }
        ]
      },
      {
        "commit": { "id": "2222222222222222222222222222222222222222", "message": "second" },
        "date": 1600000200000,
        "tool": "cargo",
        "benches": [
          { "name": "fib_20", "value": 18100, "range": "± 755", "unit": "ns/iter" },
          { "name": "fib_10", "value": 135, "range": "± 24", "unit": "ns/iter" },
          { "name": "größe {1}", "value": 1.5, "unit": "ms" }
        ]
      },
      {
        "commit": { "id": "2222222222222222222222222222222222222222", "message": "second" },
        "date": 1600000210000,
        "tool": "cargo",
        "benches": [
          { "name": "fib_20", "value": 18110, "range": "± 755", "unit": "ns/iter" }
        ]
      },
      { "commit": { "id": "main" }, "date": 1600000220000, "tool": "cargo", "benches": [] },
      { "commit": { "id": "4444444444444444444444444444444444444444" }, "date": "soon", "tool": "cargo", "benches": [] },
      { "commit": { "id": "4444444444444444444444444444444444444444" }, "date": 1600000230000, "tool": "cargo" },
      null
    ],
    "rust-benchmark": [
      {
        "commit": { "id": "1111111111111111111111111111111111111111" },
        "date": 1600000000000,
        "tool": "pytest",
        "benches": [
          { "name": "test_a.py::test_b", "value": 12.5, "range": "stddev: 0.1", "unit": "iter/sec", "extra": "mean: 80 msec" },
          { "name": "BenchmarkGet", "value": 12.5, "unit": "ns/op\t       0 B/op\t       0 allocs/op" }
        ]
      }
    ],
    "empty": []
  }
}
