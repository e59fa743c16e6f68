internal import SQLiteFiles
import CivilTime
import Diagnostics
import Foundation
import GRDB
import PurchaseModel
import Purchases
import Synchronization
import Testing

@testable import StateStore

/// Reading partition by partition gives the same result as reading all at once.
struct PartitionLoadTests {
  @Test(arguments: [1, 2, 5], [1, 7, 1000])
  func `no number of workers and no size of shares changes what is read`(
    workers: Int, rowsPerPartition: Int
  ) throws {
    let folder = try StateFolder()
    try folder.store((1...6).map { SampleContent.file(seed: $0, records: 20) })
    let state = try folder.open()
    for asOf in [nil, Instant(milliseconds: 1_600_000_000_000)] {
      let whole = try state.load(asOf: asOf, extraTexts: ["zzz", "a text of a catalogue"])
      let loaded = try state.load(
        asOf: asOf, try state.texts(["zzz", "a text of a catalogue"]), workers: workers,
        rowsPerPartition: rowsPerPartition
      ) { $1 }
      var together = loaded.set
      for partition in loaded.partitions { append(partition, to: &together) }
      #expect(SetText(together).rows == SetText(whole).rows)
      #expect(SetText(together).renewals == SetText(whole).renewals)
      #expect(Set(SetText(together).records) == Set(SetText(whole).records))
      #expect(loaded.set.reports == whole.reports)
      #expect(loaded.set.offers == whole.offers)
      #expect(loaded.set.files == whole.files)
      #expect(loaded.newestSnapshot == whole.records.map(\.snapshotAt).max())
      #expect(lone(loaded.storefrontsWithoutRows) == lone(storefrontsWithoutRows(of: whole)))
    }
  }

  @Test(arguments: [1, 2])
  func `a damaged body is noticed in any share`(workers: Int) throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let keys = try state.file.read {
      try Int64.fetchAll($0, sql: "SELECT chain_key FROM chain_part")
    }
    for key in keys {
      let body = try state.file.read {
        try Data.fetchOne(
          $0, sql: "SELECT body FROM chain_part WHERE chain_key = ?", arguments: [key])
      }
      let sound = try #require(body)
      for damaged in [Data(), sound.dropLast(), sound + [0]] {
        try state.file.write { db in
          try db.execute(
            sql: "UPDATE chain_part SET body = ? WHERE chain_key = ?",
            arguments: [Data(damaged), key])
        }
        let failure = failure {
          _ = try state.load(workers: workers, rowsPerPartition: 3) { $1.observations.count }
        }
        #expect(failure?.status == .inputOutput)
      }
      try state.file.write { db in
        try db.execute(
          sql: "UPDATE chain_part SET body = ? WHERE chain_key = ?", arguments: [sound, key])
      }
    }
  }

  @Test func `an error while a share is made ends the reading`() throws {
    let folder = try StateFolder()
    try folder.store([SampleContent.file(seed: 1)])
    let state = try folder.open()
    let failure = failure {
      _ = try state.load(workers: 2, rowsPerPartition: 3) { _, _ throws(RunFailure) -> Int in
        throw RunFailure(.interrupted, "stopped")
      }
    }
    #expect(failure?.message == "stopped")
  }

  @Test func `each share is made once, though another process changes state.db meanwhile`() throws {
    let folder = try StateFolder()
    try folder.store((1...6).map { SampleContent.file(seed: $0, records: 20) })
    let (state, other) = (try folder.open(), try folder.open())
    for round in 1...20 {
      let made = Mutex<[Int: Int]>([:])
      let loaded = try state.load(asOf: nil, try state.texts([]), workers: 5, rowsPerPartition: 7) {
        number, set throws(RunFailure) -> Int in
        let isFirst = made.withLock { made in
          made[number, default: 0] += 1
          return made.count == 1
        }
        if isFirst {
          try other.file.write {
            try $0.execute(sql: "UPDATE generation SET generation = generation + 1")
          }
        }
        return set.observations.count
      }
      #expect(made.withLock { $0.values.allSatisfy { $0 == 1 } }, "round \(round)")
      #expect(loaded.partitions.count == made.withLock { $0.count })
    }
  }

  private func append(_ partition: Observations, to set: inout Observations) {
    let offset = Int32(set.records.count)
    set.records += partition.records
    for var row in partition.observations {
      row.record += offset
      set.observations.append(row)
    }
    for var renewal in partition.renewals {
      renewal.record += offset
      set.renewals.append(renewal)
    }
  }

  /// The storefronts in production records without any row.
  private func storefrontsWithoutRows(of set: Observations) -> [StorefrontObservation] {
    let withRows = Set(set.observations.map(\.record))
    return set.records.enumerated().compactMap { index, record in
      guard !withRows.contains(Int32(index)), !record.isSandbox,
        let storefront = record.storefront
      else { return nil }
      return StorefrontObservation(
        observedAt: record.snapshotAt, storefront: storefront, customer: record.customer,
        originalTransactionID: nil)
    }
  }

  private func lone(_ observations: [StorefrontObservation]) -> Set<StorefrontObservation> {
    Set(observations)
  }
}
