internal import Testing

/// The number of threads does not change the result.
struct WorkerTests {
  @Test func `one, two and five workers publish the same facts`() throws {
    // 150 customers over two years have some 2,000 rows, enough to divide each step among threads.
    var hashes: [Int: String?] = [:]
    let generated = try StoreShop(seed: 11, customers: 150, days: 730, files: 20)
    try generated.export()
    for workers in [1, 2, 5] {
      try generated.run("run", "--jobs", String(workers), "--full-refresh")
      hashes[workers] = try generated.shop.contentHash()
    }
    #expect(hashes[1] != nil && hashes[1] == hashes[2] && hashes[1] == hashes[5])
    try generated.run("verify", "--full")
  }
}
