@testable internal import Pipeline
internal import Testing

/// The patterns that `paidline init --from` writes.
struct PathShapeTests {
  private func pattern(_ paths: String..., below root: String = "s3") -> String {
    let shapes = paths.map { PathShape($0, below: root) }
    #expect(Set(shapes.map(\.key)).count == 1, "one shape")
    return PathShape.pattern(of: shapes)
  }

  @Test func `the pattern of monthly files fits those of the next year`() {
    #expect(pattern("s3/apphud_2024-01.csv", "s3/apphud_2024-12.csv") == "s3/apphud_*.csv")
    #expect(pattern("s3/apphud_2024-01.csv") == "s3/apphud_*.csv")
    #expect(pattern("s3/apphud_202401_v2.csv") == "s3/apphud_*_v2.csv")
    #expect(pattern("s3/2024/11/a.csv", "s3/2024/12/a.csv") == "s3/*/*/a.csv")
    #expect(pattern("s3/year=2024/month=11/a.csv") == "s3/year=*/month=*/a.csv")
    #expect(pattern("s3/app-2024-42.csv") == "s3/app-2024-42.csv")
  }

  @Test func `days, hours, numbers of parts and ids are open`() {
    #expect(
      pattern("s3/2024/05/01/05/fire-1-2024-05-01-05-3f2a9c1e-0d7b-4c1e-9a55-1f2e3d4c5b6a.gz")
        == "s3/{yyyy}/{mm}/{dd}/*/fire-*.gz")
    #expect(
      pattern("s3/dt=2024-05-01/hour=05/part-00001.csv")
        == "s3/dt={date}/hour=*/part-*.csv")
    #expect(
      pattern("s3/year=2024/month=05/day=01/x.gz") == "s3/year={yyyy}/month={mm}/day={dd}/x.gz")
    #expect(pattern("s3/export_1714557605000.json") == "s3/export_*.json")
  }

  @Test func `a number that is equal in all files stays`() {
    #expect(
      pattern("s3/S_D_1_80012345_20240501.txt", "s3/S_D_1_80012345_20240502.txt")
        == "s3/S_D_1_80012345_{date}.txt")
    #expect(pattern("s3/a-1.gz", "s3/a-2.gz") == "s3/a-*.gz")
    #expect(
      pattern("s3/{date}/receipts_v2.csv".replacing("{date}", with: "2024-05-01"))
        == "s3/{date}/receipts_v2.csv")
  }

  @Test func `a name with two days has no day of export`() {
    #expect(pattern("s3/sales_2024-05-01_2024-05-31.csv") == "s3/sales_*.csv")
    #expect(pattern("s3/2024-05-01/sales_2024-04-30.csv") == "s3/{date}/sales_*.csv")
  }

  @Test func `the folder that the user named stays as it is`() {
    #expect(pattern("in/2023/05/01/a.gz", below: "in/2023") == "in/2023/05/01/a.gz")
    #expect(pattern("in/r-2024-05-01.gz", below: "") == "in/r-{date}.gz")
  }

  @Test func `every pattern holds its files`() throws {
    let paths = [
      "s3/2024/05/01/05/a-3f2a9c1e-0d7b-4c1e-9a55-1f2e3d4c5b6a.gz", "s3/2024-05-01.csv",
      "s3/x/17.json", "s3/2024/13/01/a.gz", "s3/20240230.txt", "s3/a b/c\"d.csv",
    ]
    for path in paths {
      let text = PathShape.pattern(of: [PathShape(path, below: "s3")])
      #expect(try #require(InputPattern(text, folder: ".")).holds(path), "\(text) and \(path)")
    }
  }
}
