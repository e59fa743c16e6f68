public import CivilTime
public import PurchaseModel
public import Purchases

/// The result of loading the used files: one computed value per partition, and the price reports.
///
/// The observations are released after the value of their partition is computed.
public struct LoadedPartitions<Partition: Sendable>: Sendable {
  /// The symbols, the files and the price reports, without records, rows and renewal states.
  ///
  /// Files are sorted by hash, then kind. Reports are sorted by evidence id; if several reports are
  /// equal, only the first is kept.
  public var set: Observations
  /// The computed value of each partition, sorted by the number of the partition.
  public var partitions: [Partition]
  /// The storefronts of production records that have a storefront, but no row of any chain.
  public var storefrontsWithoutRows: [StorefrontObservation]
  /// The time of the newest snapshot; `nil` without a record.
  public var newestSnapshot: Instant?
}

/// The values of the partitions that one thread read, with the partitions' numbers.
struct ReadPartitions<Partition: Sendable>: Sendable {
  var partitions: [(number: Int, partition: Partition)] = []
  var reports: [(number: Int, reports: [PriceReport], offers: [OfferPrice])] = []
  var recordsWithoutRows: [(record: Int, storefront: StorefrontObservation)] = []
  var withRows: RecordMarks
  var newestSnapshot: Instant?
}

extension LoadedPartitions {
  /// Joins the results of all threads, sorted by the numbers of the partitions.
  ///
  /// `empty` contains the symbols and the files; the price reports are added to it.
  init(_ read: [ReadPartitions<Partition>], into empty: Observations) {
    set = empty
    partitions = read.flatMap(\.partitions).sorted { $0.number < $1.number }.map(\.partition)
    newestSnapshot = read.compactMap(\.newestSnapshot).max()
    storefrontsWithoutRows = read.flatMap(\.recordsWithoutRows).compactMap { recordWithoutRows in
      read.contains { $0.withRows[recordWithoutRows.record] } ? nil : recordWithoutRows.storefront
    }
    let reports = read.flatMap(\.reports).sorted { $0.number < $1.number }
    set.reports.reserveCapacity(reports.reduce(0) { $0 + $1.reports.count })
    set.offers.reserveCapacity(reports.reduce(0) { $0 + $1.offers.count })
    for part in reports {
      let offset = set.offers.count
      for var report in part.reports {
        report.offers = report.offers.lowerBound + offset..<report.offers.upperBound + offset
        set.reports.append(report)
      }
      set.offers += part.offers
    }
  }
}

/// A set of records, stored as one bit for each record of all loaded files.
struct RecordMarks: Sendable {
  private var starts: [Int] = [0]
  private var words: [UInt64]

  init(counts: [Int]) {
    starts.reserveCapacity(counts.count + 1)
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    words = Array(repeating: 0, count: starts[starts.count - 1] / 64 + 1)
  }

  /// The number of a record among the records of all loaded files.
  ///
  /// `ordinal` is the position of the record in its file; `nil` if the file has fewer records.
  func place(of ordinal: Int, in file: Int32) -> Int? {
    let place = starts[Int(file)] + ordinal
    return place < starts[Int(file) + 1] ? place : nil
  }

  subscript(place: Int) -> Bool { words[place / 64] & 1 << UInt64(place % 64) != 0 }

  mutating func mark(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }
}
